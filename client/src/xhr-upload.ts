/**
 * Sends a form with XMLHttpRequest, because `fetch` does not report upload progress in browsers.
 *
 * @throws {TypeError} if there is no response, like `fetch`; the signal's reason on abort
 */
export function sendForm(
  { url, method, headers, signal }: Request,
  form: FormData,
  onProgress: (loaded: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.responseType = 'blob';
    // The browser sets Content-Type with the form's boundary.
    headers.forEach((value, name) => {
      if (name !== 'content-type') xhr.setRequestHeader(name, value);
    });
    const abort = () => {
      xhr.abort();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
    xhr.onload = () => {
      const { status, statusText, response } = xhr;
      resolve(new Response(response, { status, statusText, headers: headersOf(xhr) }));
    };
    xhr.onerror = () => reject(new TypeError('The upload failed.'));
    xhr.onloadend = () => signal.removeEventListener('abort', abort);
    xhr.send(form);
  });
}

function headersOf(xhr: XMLHttpRequest): [string, string][] {
  const lines = xhr.getAllResponseHeaders().trim().split('\r\n');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}
