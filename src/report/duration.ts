/** Seconds as people say them: `0.5 s`, `90 s`, `25 min`, `3 min 20 s`, `2 h`, `7 days`; two units at most. */
export function durationInWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`
  const whole = Math.round(seconds)
  if (whole < 7200) return join(Math.floor(whole / 60), 'min', whole % 60, 's')
  const minutes = Math.round(whole / 60)
  if (minutes < 2880) return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(minutes / 60)
  return join(Math.floor(hours / 24), 'days', hours % 24, 'h')
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
