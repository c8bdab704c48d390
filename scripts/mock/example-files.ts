import { readFileSync } from 'node:fs';

const photo = readFileSync(new URL('files/bumper.jpg', import.meta.url));
/** What one COM segment of a JPEG can hold: its length is two bytes that count themselves. */
const longestComment = 65_533;

/**
 * A file that opens in a viewer and has the size that an example names: a photo, a page of PDF, else bytes.
 *
 * @throws RangeError where the size is too small for such a file
 */
export function exampleFile(type: string, size: number, title: string): Buffer {
  if (type === 'image/jpeg') return jpeg(size);
  if (type === 'application/pdf') return pdf(title, size);
  return Buffer.alloc(size, 'The vehicle was inspected. ');
}

/**
 * A result of exactly so many bytes, as JSON: what it begins with, and text up to the size.
 *
 * @throws RangeError where what it begins with is longer
 */
export function exampleResult(beginning: object, size: number): Buffer {
  const frame = JSON.stringify({ ...beginning, text: '' });
  return Buffer.from(`${frame.slice(0, -2)}${filling(size - Buffer.byteLength(frame))}"}`);
}

/** Comments behind the first marker make the photo as large as it is said to be. */
function jpeg(size: number): Buffer {
  const parts = [photo.subarray(0, 2)];
  for (let missing = size - photo.length; missing !== 0; ) {
    if (missing < 4) throw new RangeError(`No photo has ${size} bytes.`);
    // What is left for the next comment is nothing, or enough for its marker and length.
    const left = missing - 4 <= longestComment ? 0 : Math.max(missing - 4 - longestComment, 4);
    const length = missing - 4 - left;
    const head = Buffer.from([0xff, 0xfe, 0, 0]);
    head.writeUInt16BE(length + 2, 2);
    parts.push(head, Buffer.from(filling(length)));
    missing = left;
  }
  return Buffer.concat([...parts, photo.subarray(2)]);
}

/** One page with a title; a stream that nothing shows makes it as large as it is said to be. */
function pdf(title: string, size: number): Buffer {
  const text = title.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, '\\$&');
  const shown = `BT /F1 20 Tf 72 760 Td (${text}) Tj ET`;
  const make = (padding: number) =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      streamOf(shown),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      streamOf(filling(padding)),
    ]);
  // The numbers in the file may grow by a digit with its size.
  let padding = Math.max(size - make(0).length, 0);
  while (padding > 0 && make(padding).length > size) padding -= 1;
  const made = make(padding);
  if (made.length > size) throw new RangeError(`No PDF with this title has ${size} bytes.`);
  return Buffer.concat([made, Buffer.alloc(size - made.length, '\n')]);
}

function pdfOf(objects: string[]): Buffer {
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const start = file.length;
  const count = objects.length + 1;
  file += `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const streamOf = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** @throws RangeError for less than nothing */
function filling(length: number): string {
  const words = 'The vehicle was inspected. ';
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}
