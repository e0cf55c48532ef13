import { Argument, type Command, type Option } from 'commander'
import type { Terminal } from '../terminal.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A completion script, made from the program itself. It only names options, their values, commands and files. */
export function completionsText(shell: Shell, program: Command): string {
  const commands = program.commands.filter((command) => command.name() !== 'audit')
  return { bash, zsh, fish }[shell](program, commands)
}

function optionsOf(command: Command): readonly Option[] {
  return command.options.filter((option) => !option.hidden)
}

function namesOf(command: Command): string[] {
  return [...optionsOf(command).flatMap((option) => [option.short, option.long]), '-h', '--help'].flatMap((name) =>
    name === undefined ? [] : [name],
  )
}

/** The words that an option or the first argument of a command takes; empty: a file, or anything. */
function valuesOf(option: Option): readonly string[] {
  if (option.argChoices !== undefined) return option.argChoices
  return option.attributeName() === 'failOn' ? ['none', 'info', 'warning', 'error'] : []
}

/** Its value may be left out; commander also calls `<a[=b]>` optional. */
function takesOwn(option: Option): boolean {
  return option.optional && !option.required
}

function argumentChoices(command: Command): readonly string[] {
  return command.registeredArguments[0]?.argChoices ?? []
}

function bash(program: Command, commands: readonly Command[]): string {
  const cases = commands.map(
    (command) => `    ${command.name()}) words="${[...namesOf(command), ...argumentChoices(command)].join(' ')}" ;;`,
  )
  const values = optionsOf(program)
    .filter((option) => valuesOf(option).length > 0)
    .map(
      (option) =>
        `    ${option.long}) COMPREPLY=($(compgen -W "${valuesOf(option).join(' ')}" -- "$current")); return ;;`,
    )
  return `# tick-audit completions for bash: source <(tick-audit completions bash)
_tick_audit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "$before" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${namesOf(program).join(' ')}"; [ "$COMP_CWORD" -eq 1 ] && words="$words ${commands.map((c) => c.name()).join(' ')}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _tick_audit tick-audit
`
}

function zsh(program: Command, commands: readonly Command[]): string {
  const quoted = (text: string): string =>
    text.replace(/['[\]:\\]/g, (character) => (character === "'" ? "'\\''" : `\\${character}`))
  const spec = (option: Option): string => {
    const values = valuesOf(option)
    const value =
      option.required || option.optional ? `:value:${values.length > 0 ? `(${values.join(' ')})` : '_files'}` : ''
    // Where a value may be left out, it is joined by an equals sign.
    const name = takesOwn(option) ? `${option.long}=-` : option.long
    return `'*${name}[${quoted(option.description)}]${takesOwn(option) ? `:${value}` : value}'`
  }
  const specs = (command: Command): string => optionsOf(command).map(spec).join(' \\\n      ')
  const cases = commands.map((command) => {
    const choices = argumentChoices(command)
    const rest = choices.length > 0 ? `'1:what:(${choices.join(' ')})'` : `'*:file:_files'`
    return `    ${command.name()}) shift words; ((CURRENT--)); _arguments ${[specs(command), rest].filter((part) => part !== '').join(' \\\n      ')} ;;`
  })
  return `#compdef tick-audit
# tick-audit completions for zsh: source <(tick-audit completions zsh), after compinit
_tick_audit() {
  local -a commands=(${commands.map((command) => `'${command.name()}:${quoted(command.description())}'`).join(' ')})
  case "$words[2]" in
${cases.join('\n')}
    *)
      ((CURRENT == 2)) && _describe command commands
      _arguments ${specs(program)} \\
      '*:path:_files -/' ;;
  esac
}
compdef _tick_audit tick-audit
`
}

function fish(program: Command, commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
  const names = commands.map((command) => command.name()).join(' ')
  const line = (condition: string, option: Option): string => {
    const values = valuesOf(option)
    const takes = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : option.required ? ' -r' : ''
    const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`
    const long = option.long === undefined ? '' : ` -l ${option.long.slice(2)}`
    return `complete -c tick-audit -n ${quoted(condition)}${short}${long}${takes} -d ${quoted(option.description)}`
  }
  return `# tick-audit completions for fish: tick-audit completions fish | source
${[
  ...commands.map(
    (command) =>
      `complete -c tick-audit -n ${quoted(`not __fish_seen_subcommand_from ${names}`)} -a ${command.name()} -d ${quoted(command.description())}`,
  ),
  ...optionsOf(program).map((option) => line(`not __fish_seen_subcommand_from ${names}`, option)),
  ...commands.flatMap((command) => [
    ...argumentChoices(command).map(
      (choice) =>
        `complete -c tick-audit -f -n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)} -a ${choice}`,
    ),
    ...optionsOf(command).map((option) => line(`__fish_seen_subcommand_from ${command.name()}`, option)),
  ]),
].join('\n')}
`
}

/** `tick-audit completions bash|zsh|fish`: prints a script for the shell. */
export function completionsCommand(command: Command, program: Command, terminal: Terminal): Command {
  return command
    .description('print completions for a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
    .action((shell: Shell) => terminal.stdout(completionsText(shell, program)))
}
