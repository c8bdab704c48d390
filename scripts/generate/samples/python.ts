import {
  type CurlRequest,
  type Json,
  type Part,
  partsOf,
  pathVariablesOf,
  type ResponseBody,
  variablesOf,
} from './curl.ts';

/** The width that formatters of Python use. */
const maximumWidth = 88;

/** The request of a cURL sample as a Python program. */
export function pythonSample(request: CurlRequest, body: ResponseBody): string {
  const identifiers = pathVariablesOf(request);
  const variables = variablesOf(request).map((name) => {
    const value = `os.environ["${name}"]`;
    // Quoting does not help: `requests` resolves `..` in a path.
    return `${nameOf(name)} = ${identifiers.includes(name) ? `str(uuid.UUID(${value}))` : value}`;
  });
  const code = [...variables, '', ...callOf(request, body), ''].join('\n');
  const standard = ['json', 'os', 'uuid'].filter((name) => new RegExp(`\\b${name}\\.`).test(code));
  return `${standard.map((name) => `import ${name}\n`).join('')}\nimport requests\n\n${code}`.trimEnd();
}

function callOf(request: CurlRequest, body: ResponseBody): string[] {
  const { method, url, query, headers, json, form = [], output } = request;
  const file = form.find((field) => 'file' in field);
  const texts = Map.groupBy(
    form.flatMap((field) => ('text' in field ? [field] : [])),
    ({ name }) => name,
  );
  const fields = [...texts].map(([name, same]) => {
    const values = same.map(({ text }) => text);
    return [name, values.length > 1 ? values : (values[0] ?? '')] as const;
  });
  const options: [name: string, value: Json][] = [
    ...(query.length > 0 ? [['params', Object.fromEntries(query.map(queryValue))] as [string, Json]] : []),
    ...(headers.length > 0 ? [['headers', Object.fromEntries(headers)] as [string, Json]] : []),
    ...(json === undefined ? [] : [['json', json] as [string, Json]]),
    ...(fields.length > 0 ? [['data', Object.fromEntries(fields)] as [string, Json]] : []),
  ];
  const call = (indent: string) => [
    `requests.${method.toLowerCase()}(`,
    `${indent}    ${stringOf(url)},`,
    ...options.map(
      ([name, value]) => `${indent}    ${name}=${literalOf(value, `${indent}    `, name.length + 2)},`,
    ),
    ...(file && 'file' in file
      ? [`${indent}    files={"${file.name}": ("${file.file}", file, "${file.type}")},`]
      : []),
    ...(output ? [`${indent}    stream=True,`] : []),
    `${indent}    timeout=30,`,
    `${indent})`,
  ];
  const check = ['if not response.ok:', '    raise requests.HTTPError(response.text, response=response)'];
  if (output) {
    const [opening = '', ...rest] = call('');
    return [
      `with ${opening}`,
      ...rest.slice(0, -1),
      ') as response:',
      ...check.map((line) => `    ${line}`),
      `    with open("${output}", "wb") as file:`,
      '        for chunk in response.iter_content(64 * 1024):',
      '            file.write(chunk)',
    ];
  }
  const results = {
    json: ['', 'result = response.json()', 'print(json.dumps(result, indent=2))'],
    text: ['', 'print(response.text)'],
    none: [],
  };
  if (file && 'file' in file) {
    const sent = call('    ').join('\n');
    return [`with open("${file.file}", "rb") as file:`, `    response = ${sent}`, ...check, ...results[body]];
  }
  return [`response = ${call('').join('\n')}`, ...check, ...results[body]];
}

function queryValue([name, value]: [string, string]): [string, Json] {
  return [name, /^\d+$/.test(value) ? Number(value) : value];
}

/** On one line if it fits. */
function literalOf(value: Json, indent: string, before: number): string {
  const line = lineOf(value);
  if (indent.length + before + line.length <= maximumWidth || typeof value !== 'object' || value === null)
    return line;
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((one) => literalOf(one, inner, 1))
    : Object.entries(value).map(([key, one]) => `"${key}": ${literalOf(one, inner, key.length + 5)}`);
  return `${open}\n${lines.map((text) => `${inner}${text},\n`).join('')}${indent}${close}`;
}

function lineOf(value: Json): string {
  if (typeof value === 'string') return stringOf(value);
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, one]) => `"${key}": ${lineOf(one)}`)
      .join(', ')}}`;
  }
  return { true: 'True', false: 'False', null: 'None' }[String(value)] ?? String(value);
}

function stringOf(text: string): string {
  const parts = partsOf(text);
  const [first] = parts;
  if (parts.length === 1 && first && 'variable' in first) return expressionOf(first);
  if (!parts.some((part) => 'variable' in part)) return JSON.stringify(text);
  const inner = parts.map((part) =>
    'text' in part
      ? JSON.stringify(part.text).slice(1, -1).replaceAll(/[{}]/g, '$&$&')
      : `{${expressionOf(part)}}`,
  );
  return `f"${inner.join('')}"`;
}

function expressionOf({ variable }: Extract<Part, { variable: string }>): string {
  return variable === 'RANDOM' ? 'uuid.uuid4()' : nameOf(variable);
}

function nameOf(variable: string): string {
  return variable.replace(/^WRP_/, '').toLowerCase();
}
