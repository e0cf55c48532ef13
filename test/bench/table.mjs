const ms = (value) => (value === undefined ? '-' : `${Math.round(value)} ms`)
const times = (value) => (Number.isFinite(value) ? `${value.toFixed(2)}×` : '-')

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  rows.forEach((row, index) => {
    console.log(`| ${row.map((cell, column) => String(cell).padEnd(widths[column])).join(' | ')} |`)
    if (index === 0) console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  })
}

export function printTimes(all) {
  print([
    ['project', 'SQL', 'functions', 'node', '+ read', 'floor', 'cold', 'cold / floor', 'warm', 'peak'],
    ...all.map(({ name, sql, functions, times: its, peak }) => [
      name,
      sql,
      functions,
      ms(its.node),
      ms(its.read),
      ms(its.floor),
      ms(its.cold),
      times(its.cold / its.floor),
      ms(its.warm),
      `${Math.round(peak)} MB`,
    ]),
  ])
}

export function printParts(all) {
  const parts = [...new Set(all.flatMap((each) => Object.keys(each.parts)))]
  console.log('\nParts of one cold run')
  print([
    ['part', ...all.map((each) => each.name)],
    ...parts.map((part) => [part, ...all.map((each) => ms(each.parts[part] ?? 0))]),
  ])
}

/** Each tool as a whole process on the same folder: its time, and how many times as long it takes as tick-audit. */
export function printTools(all, tools) {
  const there = tools.filter((tool) => !tool.missing)
  console.log('\nWhat a user has today, on the same folder (in brackets: its time / that of tick-audit)')
  print([
    ['project', 'tick-audit', ...there.map((tool) => tool.name)],
    ...all.map(({ name, times: its }) => [
      name,
      ms(its.cold),
      ...there.map((tool) => (its[tool.name] ? `${ms(its[tool.name])} (${times(its[tool.name] / its.cold)})` : '-')),
    ]),
  ])
  for (const { name, rule, version, missing } of tools)
    console.log(missing ? `${name}: not measured: ${missing}` : `${name}: ${version}, ${rule}`)
  for (const { name, failed } of all)
    for (const [tool, reason] of Object.entries(failed)) console.log(`${tool} on ${name}: not measured: ${reason}`)
}

/** What tick-audit's cold run may take, by what the others take. Of a project without a tick the floor is node + libpg-query. */
const GOALS = [
  ['/ (oxlint + pg tools)', 2, (its) => its.cold / (its.oxlint + its['pg tools'])],
  ['/ eslint', 1 / 6, (its) => its.cold / its.eslint],
  ['/ floor', 2.5, (its, ticks) => (ticks ? its.cold / its.floor : NaN)],
  ['no tick: / (node + libpg-query)', 1.5, (its, ticks) => (ticks ? NaN : its.cold / its.floor)],
]

export function printGoals(all) {
  console.log('\nGoals: tick-audit’s cold run …')
  const cell = (ratio, goal) => (Number.isFinite(ratio) ? `${times(ratio)} ${ratio <= goal ? 'holds' : 'MISSED'}` : '-')
  print([
    ['project', ...GOALS.map(([name, goal]) => `${name} ≤ ${times(goal)}`)],
    ...all.map(({ name, times: its, functions }) => [
      name,
      ...GOALS.map(([, goal, ratioOf]) => cell(ratioOf(its, functions > 0), goal)),
    ]),
  ])
}

export function printGrowth(one, two, four) {
  const above = ({ times: its }) => its.cold - its.node
  console.log('\nGrowth: twice the project takes (2.00× is linear, what is constant taken off)')
  print([
    ['', '1× → 2×', '2× → 4×'],
    ['cold - node', times(above(two) / above(one)), times(above(four) / above(two))],
    ['warm', times(two.times.warm / one.times.warm), times(four.times.warm / two.times.warm)],
    ['peak', times(two.peak / one.peak), times(four.peak / two.peak)],
  ])
}
