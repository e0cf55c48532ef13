// Starts, calls and kills workers. One command a line on standard input, one answer a line on standard output.
import process from 'node:process'
import { createInterface } from 'node:readline'

const workers = new Map()
const say = (message) => console.log(JSON.stringify(message))

for await (const line of createInterface({ input: process.stdin })) {
  const { command, worker: name, ...rest } = JSON.parse(line)
  if (command === 'open') {
    const worker = workers.get(name) ?? new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
    workers.set(name, worker)
    worker.onmessage = ({ data }) => say({ worker: name, ...data })
    worker.onerror = (event) => {
      event.preventDefault()
      say({ worker: name, ready: false, status: 500, text: event.message })
    }
    worker.postMessage({ entry: rest.entry })
  } else if (command === 'invoke') {
    workers.get(name)?.postMessage(rest)
  } else if (command === 'kill') {
    workers.get(name)?.terminate()
    workers.delete(name)
  }
}
Deno.exit(0)
