import { orAbort } from './abort.ts';

/**
 * Sends a form with XMLHttpRequest, because `fetch` does not report upload progress in browsers.
 *
 * @throws {TypeError} if there is no response, like `fetch`; the signal's reason on abort
 */
export async function sendForm(
  { url, method, headers, signal }: Request,
  form: FormData,
  onProgress: (loaded: number) => void,
): Promise<Response> {
  signal.throwIfAborted();
  const xhr = new XMLHttpRequest();
  xhr.open(method, url);
  // The browser sets Content-Type with the form's boundary.
  headers.forEach((value, name) => {
    if (name !== 'content-type') xhr.setRequestHeader(name, value);
  });
  xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
  const ended = new Promise((resolve) => {
    xhr.onloadend = resolve;
  });
  xhr.send(form);
  await orAbort(ended, signal).catch((error) => {
    xhr.abort();
    throw error;
  });
  const { status, statusText, response } = xhr;
  if (!status) throw new TypeError('The upload failed.');
  const lines = xhr.getAllResponseHeaders().trim().split('\r\n');
  const received = lines.map((line) => line.split(/: *(.*)/, 2) as [string, string]);
  return new Response(response || null, { status, statusText, headers: received });
}
