/** How one call of an HTTP client says what it sends. */
export interface HttpCallForm {
  /** The call's path on the client: [] is the client itself (`axios(…)`), ['post'] is `axios.post(…)`. */
  readonly path: readonly string[]
  /** Fixed by the call; null: given in the options, GET where it is not. */
  readonly method: string | null
  /** Index of the argument that is the URL; null: it stands in the options. */
  readonly url: number | null
  /** Index of the argument that is the body; null: it stands in the options, if anywhere. */
  readonly body: number | null
  /** Index of the argument with the options; null: none. */
  readonly options: number | null
}

export interface HttpClient {
  readonly forms: readonly HttpCallForm[]
  /** Calls that return a client with defaults, and the argument that holds them: `axios.create({ baseURL })`. */
  readonly factories: readonly string[]
  /** Names of the options, the first one that is there counts. */
  readonly keys: {
    readonly url: readonly string[]
    readonly base: readonly string[]
    readonly method: readonly string[]
    readonly headers: readonly string[]
    readonly body: readonly string[]
    /** A number is in `timeoutUnit`. */
    readonly timeout: readonly string[]
  }
  readonly timeoutUnit: 'milliseconds' | 'seconds'
}

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'] as const
const form = (
  path: string[],
  method: string | null,
  url: number | null,
  body: number | null,
  options: number | null,
): HttpCallForm => ({
  path,
  method,
  url,
  body,
  options,
})

/** `client(url, options)`, and `client.post(url, options)` for each method. */
const URL_OPTIONS = [form([], null, 0, null, 1), ...METHODS.map((name) => form([name], name.toUpperCase(), 0, null, 1))]

/** axios: the body is an argument of its own for post, put and patch. */
const AXIOS_FORMS = [
  form([], null, null, null, 0),
  form([], null, 0, null, 1),
  form(['request'], null, null, null, 0),
  ...METHODS.map((name) =>
    ['post', 'put', 'patch'].includes(name)
      ? form([name], name.toUpperCase(), 0, 1, 2)
      : form([name], name.toUpperCase(), 0, null, 1),
  ),
  ...['post', 'put', 'patch'].map((name) => form([`${name}Form`], name.toUpperCase(), 0, 1, 2)),
]

const KEYS = {
  url: ['url', 'uri'],
  base: ['baseURL', 'baseUrl', 'prefixUrl', 'prefix'],
  method: ['method'],
  headers: ['headers'],
  body: ['json', 'body', 'data', 'form', 'searchParams'],
  timeout: ['timeout', 'signal'],
}

const fetchLike: HttpClient = {
  forms: [form([], null, 0, null, 1)],
  factories: [],
  keys: KEYS,
  timeoutUnit: 'milliseconds',
}
const axiosLike: HttpClient = {
  forms: AXIOS_FORMS,
  factories: ['create'],
  keys: { ...KEYS, body: ['data'] },
  timeoutUnit: 'milliseconds',
}
const kyLike: HttpClient = {
  forms: URL_OPTIONS,
  factories: ['create', 'extend', 'defaults'],
  keys: KEYS,
  timeoutUnit: 'milliseconds',
}
const gotLike: HttpClient = { ...kyLike, forms: [form([], null, null, null, 0), ...URL_OPTIONS] }

/** `post(url).set(…).send(body)`: what follows on the chain is not described here, the method and the URL are. */
const chainLike: HttpClient = {
  ...kyLike,
  forms: METHODS.flatMap((name) => [form([name], name.toUpperCase(), 0, null, null)]).concat(
    form(['del'], 'DELETE', 0, null, null),
  ),
}

const CLIENTS: Readonly<Record<string, HttpClient>> = {
  axios: axiosLike,
  axiod: axiosLike,
  redaxios: axiosLike,
  xior: axiosLike,
  '@bundled-es-modules/axios': axiosLike,
  ky: kyLike,
  'ky-universal': kyLike,
  got: gotLike,
  'got-cjs': gotLike,
  ofetch: {
    ...kyLike,
    forms: [form([], null, 0, null, 1), form(['raw'], null, 0, null, 1), form(['native'], null, 0, null, 1)],
  },
  $fetch: fetchLike,
  'node-fetch': fetchLike,
  'node-fetch-native': fetchLike,
  'cross-fetch': fetchLike,
  'isomorphic-fetch': fetchLike,
  'isomorphic-unfetch': fetchLike,
  unfetch: fetchLike,
  'fetch-retry': fetchLike,
  'fetch-with-retry': fetchLike,
  '@vercel/fetch': fetchLike,
  'make-fetch-happen': { ...fetchLike, factories: ['defaults'] },
  undici: { ...fetchLike, forms: [form(['fetch'], null, 0, null, 1), form(['request'], null, 0, null, 1)] },
  superagent: chainLike,
  needle: {
    ...fetchLike,
    forms: [
      form([], null, 1, 2, 3),
      ...METHODS.map((name) =>
        ['get', 'head'].includes(name)
          ? form([name], name.toUpperCase(), 0, null, 1)
          : form([name], name.toUpperCase(), 0, 1, 2),
      ),
    ],
    keys: { ...KEYS, timeout: ['timeout', 'response_timeout', 'open_timeout'] },
  },
  request: { ...gotLike, factories: ['defaults'], forms: [...gotLike.forms, form(['del'], 'DELETE', 0, null, 1)] },
  'request-promise': gotLike,
  'request-promise-native': gotLike,
  phin: {
    ...fetchLike,
    forms: [form([], null, null, null, 0), form([], null, 0, null, null)],
    factories: ['defaults'],
  },
  bent: fetchLike,
  aws4fetch: { ...fetchLike, forms: [form(['fetch'], null, 0, null, 1)] },
}

/** How the calls of an HTTP client look; null: the package is none. The global `fetch` is `FETCH`. */
export function httpClientOf(packageName: string): HttpClient | null {
  return Object.hasOwn(CLIENTS, packageName) ? CLIENTS[packageName]! : null
}

export const FETCH: HttpClient = fetchLike

/** The forms that a call of this path can have; `axios(…)` has two: with a URL first, or with options alone. */
export function formsOf(client: HttpClient, path: readonly string[]): readonly HttpCallForm[] {
  return client.forms.filter((candidate) => candidate.path.join('.') === path.join('.'))
}
