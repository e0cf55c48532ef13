import type * as Sarif from 'sarif'
import type { Finding, Location, Severity } from '../../model/index.js'

export const LEVEL: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

/** A place: the path as a URI relative to the folder that holds the `supabase` folder; 1-based, the end exclusive as ours. */
export function locationOf(location: Location): Sarif.Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(location.file), uriBaseId: '%SRCROOT%' },
      region: {
        startLine: location.startLine,
        startColumn: location.startColumn,
        endLine: location.endLine,
        endColumn: location.endColumn,
      },
    },
  }
}

/** A relative reference by RFC 3986: each segment is encoded, so that a colon in the first one makes no scheme. */
function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/')
}

/** In a message's text `[words](target)` is a link (SARIF 2.1.0, 3.11.6); what we quote must not become one. */
export function messageText(text: string): string {
  return text.replace(/\[(?=[^\]]*\]\()/g, '\\[')
}

/** The trace, as the places that belong to a result and as the way through the code that leads to it. */
export function stepsOf(finding: Finding): {
  readonly relatedLocations: Sarif.Location[]
  readonly codeFlows: Sarif.CodeFlow[]
} {
  const steps = finding.trace.map((step, index): Sarif.Location => ({
    id: index + 1,
    ...locationOf(step.location),
    message: { text: messageText(`${step.role}: ${step.message}`) },
  }))
  if (steps.length === 0) return { relatedLocations: [], codeFlows: [] }
  const flow = finding.trace.map((step, index): Sarif.ThreadFlowLocation => ({
    location: { ...locationOf(step.location), message: { text: messageText(step.message) } },
    kinds: [step.role],
    executionOrder: index + 1,
    importance: step.role === 'effect' ? 'essential' : 'important',
  }))
  return {
    relatedLocations: steps,
    codeFlows: [{ message: { text: 'From the schedule to the effect' }, threadFlows: [{ locations: flow }] }],
  }
}
