/** What a path matches: entries by method (`GET`), and the values of its parameters. */
export interface Match<Entry> {
  methods: ReadonlyMap<string, Entry>;
  path: Record<string, string>;
}

/**
 * The value of a path parameter with malformed percent-encoding. No well-formed path has an empty value, so it
 * marks the error until the caller is identified; then it is reported as an invalid parameter.
 */
export const malformed = '';

/** Splits a request target as it was sent, without normalization. The query is without the question mark. */
export function splitTarget(url: string): [path: string, search: string] {
  // RFC 9112, section 3.2.2: the target may be an absolute URL, as it is for proxies.
  const target = url.charCodeAt(0) === 47 ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

interface Node<Entry> {
  statics: Map<string, Node<Entry>>;
  parameter: Node<Entry> | undefined;
  leaf: { names: readonly string[]; methods: Map<string, Entry> } | undefined;
}

/**
 * Matches paths to templates by segment: exactly, case-sensitively, without trailing or repeated slashes, and
 * fixed segments before parameters. Each object has one URL, the same for caches, logs and permissions; characters that
 * need no encoding may be encoded.
 *
 * @returns a function that takes a path, percent-encoded and without the query
 */
export function createMatcher<Entry>(
  entries: Iterable<{ method: string; template: string; entry: Entry }>,
): (path: string) => Match<Entry> | undefined {
  const root = createNode<Entry>();
  const fixed = new Map<string, Match<Entry>>();
  for (const { method, template, entry } of entries) {
    const names: string[] = [];
    let node = root;
    for (const segment of template.split('/').slice(1)) {
      const name = /^\{([^{}*]+)\}$/.exec(segment)?.[1];
      if (name === undefined && /[{}*]/.test(segment))
        throw new Error(`${template}: a path parameter is a whole segment, {name}.`);
      if (name !== undefined) {
        names.push(name);
        node.parameter ??= createNode();
        node = node.parameter;
      } else {
        const next = node.statics.get(segment) ?? createNode();
        node.statics.set(segment, next);
        node = next;
      }
    }
    node.leaf ??= { names, methods: new Map() };
    if (node.leaf.names.join() !== names.join() || node.leaf.methods.has(method))
      throw new Error(
        `${method} ${template}: another path of the contract already matches the same addresses.`,
      );
    node.leaf.methods.set(method, entry);
    if (names.length === 0) fixed.set(template, { methods: node.leaf.methods, path: {} });
  }

  return (path) => {
    const direct = fixed.get(path);
    // A copy, because the validator modifies it.
    if (direct) return { methods: direct.methods, path: {} };
    if (path.charCodeAt(0) !== 47) return undefined;
    return walk(root, path.includes('%') ? normalized(path) : path, 1, []);
  };
}

// ALPHA, DIGIT and - . _ ~
const unreserved = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/** Decodes what need not be encoded: the path is the same (RFC 3986, section 6.2.2.2). `%2F` stays: it is no separator. */
export function normalized(path: string): string {
  return path.replace(unreserved, decodeURIComponent);
}

/**
 * @param start the index of the next segment
 * @param values of the parameters so far
 */
function walk<Entry>(
  node: Node<Entry>,
  path: string,
  start: number,
  values: string[],
): Match<Entry> | undefined {
  const slash = path.indexOf('/', start);
  const segment = slash < 0 ? path.slice(start) : path.slice(start, slash);
  if (segment === '') return undefined;
  const next = node.statics.get(segment);
  const found = next && step(next, path, slash, values);
  if (found || !node.parameter) return found;
  const depth = values.push(segment);
  const match = step(node.parameter, path, slash, values);
  if (!match) values.length = depth - 1;
  return match;
}

function step<Entry>(
  node: Node<Entry>,
  path: string,
  slash: number,
  values: string[],
): Match<Entry> | undefined {
  if (slash >= 0) return walk(node, path, slash + 1, values);
  if (!node.leaf) return undefined;
  const { names, methods } = node.leaf;
  const parameters: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) parameters[names[at] as string] = decoded(values[at] as string);
  return { methods, path: parameters };
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return malformed;
  }
}

function createNode<Entry>(): Node<Entry> {
  return { statics: new Map(), parameter: undefined, leaf: undefined };
}
