// Loaded with --import: tells the highest memory of the process, in kilobytes, on standard error.
import { writeSync } from 'node:fs'

process.on('exit', () => writeSync(2, `\nPEAK ${process.resourceUsage().maxRSS}\n`))
