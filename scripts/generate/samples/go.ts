import {
  type CurlRequest,
  type FormField,
  type Json,
  partsOf,
  pathVariablesOf,
  type ResponseBody,
  variablesOf,
} from './curl.ts';

const packages = [
  ...['bytes', 'crypto/rand', 'encoding/json', 'fmt', 'io', 'log', 'mime/multipart', 'net/http'],
  ...['net/textproto', 'net/url', 'os', 'time'],
];
const check = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** The request of a cURL sample as a Go program, formatted as gofmt does. */
export function goSample(request: CurlRequest, body: ResponseBody): string {
  const { method, url, query, headers, json, form, output } = request;
  const variables = variablesOf(request).map((name) => `${nameOf(name)} := os.Getenv("${name}")`);
  const address = `${url}${query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : ''}`;
  const identifiers = pathVariablesOf(request);
  const isLong = form !== undefined || output !== undefined;
  const payload = form ? '&body' : json === undefined ? 'nil' : 'bytes.NewReader(body)';
  const types = json !== undefined ? ['"application/json"'] : form ? ['form.FormDataContentType()'] : [];
  const code = [
    ...[...variables, ''],
    ...(json === undefined ? [] : jsonBody(json)),
    ...(form ? formBody(form) : []),
    `endpoint := ${stringOf(address, ' + ', identifiers)}`,
    `request, err := http.NewRequest(http.Method${method[0]}${method.slice(1).toLowerCase()}, endpoint, ${payload})`,
    ...check,
    ...headers.map(([name, value]) => `request.Header.Set("${name}", ${stringOf(value, '+')})`),
    ...types.map((type) => `request.Header.Set("Content-Type", ${type})`),
    '',
    `client := http.Client{Timeout: ${isLong ? '10 * time.Minute' : '30 * time.Second'}}`,
    'response, err := client.Do(request)',
    ...[...check, 'defer response.Body.Close()', ''],
    ...(output ? download(output) : result(body)),
  ].map((line) => (line === '' ? '' : `\t${line.replaceAll('\n', '\n\t')}`));
  const main = `func main() {\n${code.join('\n')}\n}`;
  const imports = packages.filter((path) => new RegExp(`\\b${path.replace(/.*\//, '')}\\.`).test(main));
  return `package main\n\nimport (\n${imports.map((path) => `\t"${path}"\n`).join('')})\n\n${main}`;
}

function result(body: ResponseBody): string[] {
  return [
    'result, err := io.ReadAll(response.Body)',
    ...check,
    'if response.StatusCode >= 300 {',
    '\tlog.Fatalf("%s: %s", response.Status, result)',
    '}',
    ...(body === 'none' ? [] : ['fmt.Println(string(result))']),
  ];
}

function download(output: string): string[] {
  return [
    'if response.StatusCode >= 300 {',
    '\tmessage, _ := io.ReadAll(response.Body)',
    '\tlog.Fatalf("%s: %s", response.Status, message)',
    '}',
    `file, err := os.Create("${output}")`,
    ...check,
    'if _, err := io.Copy(file, response.Body); err != nil {',
    '\tlog.Fatal(err)',
    '}',
    'if err := file.Close(); err != nil {',
    '\tlog.Fatal(err)',
    '}',
  ];
}

function jsonBody(json: Json): string[] {
  return [`body, err := json.Marshal(${literalOf(json, true)})`, ...check, ''];
}

function formBody(fields: FormField[]): string[] {
  return [
    'var body bytes.Buffer',
    'form := multipart.NewWriter(&body)',
    ...fields.flatMap((field) => ('file' in field ? filePart(field) : textPart(field))),
    'if err := form.Close(); err != nil {',
    '\tlog.Fatal(err)',
    '}',
    '',
  ];
}

function filePart({ name, file, type }: Extract<FormField, { file: string }>): string[] {
  return [
    `file, err := os.Open("${file}")`,
    ...[...check, 'defer file.Close()'],
    'part, err := form.CreatePart(textproto.MIMEHeader{',
    `\t"Content-Disposition": {multipart.FileContentDisposition("${name}", "${file}")},`,
    `\t"Content-Type":        {"${type}"},`,
    '})',
    ...check,
    'if _, err := io.Copy(part, file); err != nil {',
    '\tlog.Fatal(err)',
    '}',
  ];
}

function textPart({ name, text }: Extract<FormField, { text: string }>): string[] {
  return [
    `if err := form.WriteField("${name}", ${stringOf(text, '+')}); err != nil {`,
    '\tlog.Fatal(err)',
    '}',
  ];
}

/** @param isOuter whether each property of an object has a line */
function literalOf(value: Json, isOuter = false): string {
  if (typeof value === 'string') return stringOf(value);
  if (value === null) return 'nil';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]any{${value.map((one) => literalOf(one)).join(', ')}}`;
  const entries = Object.entries(value).map(([key, one]) => [`"${key}":`, literalOf(one)] as const);
  if (!isOuter) return `map[string]any{${entries.map((entry) => entry.join(' ')).join(', ')}}`;
  const width = Math.max(...entries.map(([key]) => key.length));
  return `map[string]any{\n${entries.map(([key, one]) => `\t${key.padEnd(width)} ${one},\n`).join('')}}`;
}

/**
 * Texts and variables. gofmt has no spaces around `+` among several arguments.
 *
 * @param escaped variables that are segments of a path
 */
function stringOf(text: string, plus: '+' | ' + ' = ' + ', escaped: readonly string[] = []): string {
  const terms = partsOf(text).map((part) => {
    if ('text' in part) return JSON.stringify(part.text);
    if (escaped.includes(part.variable)) return `url.PathEscape(${nameOf(part.variable)})`;
    return part.variable === 'RANDOM' ? 'rand.Text()' : nameOf(part.variable);
  });
  return terms.join(plus) || '""';
}

/** `USER_ID` → `userID`, `WRP_TOKEN` → `token`. */
function nameOf(variable: string): string {
  const [first = '', ...rest] = variable.replace(/^WRP_/, '').split('_');
  const capitalized = (word: string) =>
    /^(ID|URL)$/.test(word) ? word : `${word[0]}${word.slice(1).toLowerCase()}`;
  return `${first.toLowerCase()}${rest.map(capitalized).join('')}`;
}
