/** The configuration: found, read, checked, and merged with what the command line says. */
export { mergeConfig, type Config, type Overrides, type Settings } from './config.js'
export { baselineOf, loadConfig, type LoadedConfig } from './load.js'
