import { readFileSync } from 'node:fs';

const photo = readFileSync(new URL('bumper.jpg', import.meta.url));
/** Bytes that a COM segment of a JPEG can hold: its length is two bytes that count themselves. */
const maximumComment = 65_533;

/**
 * A file of exactly this size that a viewer opens: a photo, a PDF of one page, or text.
 *
 * @throws {RangeError} if the size is too small for such a file
 */
export function exampleFile(type: string, size: number, title: string): Buffer {
  if (type === 'image/jpeg') return jpeg(size);
  if (type === 'application/pdf') return pdf(title, size);
  return Buffer.alloc(size, 'The vehicle was inspected. ');
}

/**
 * A JSON result of exactly this size: these properties, padded with text.
 *
 * @throws {RangeError} if the properties alone are larger
 */
export function exampleResult(properties: object, size: number): Buffer {
  const frame = JSON.stringify({ ...properties, text: '' });
  return Buffer.from(`${frame.slice(0, -2)}${filling(size - Buffer.byteLength(frame))}"}`);
}

/** Comments after the first marker pad the photo to its size. */
function jpeg(size: number): Buffer {
  const parts = [photo.subarray(0, 2)];
  for (let missing = size - photo.length; missing !== 0; ) {
    if (missing < 4) throw new RangeError(`No photo has ${size} bytes.`);
    // Whatever is left for the next comment must have room for its marker and length.
    const left = missing - 4 <= maximumComment ? 0 : Math.max(missing - 4 - maximumComment, 4);
    const length = missing - 4 - left;
    const head = Buffer.from([0xff, 0xfe, 0, 0]);
    head.writeUInt16BE(length + 2, 2);
    parts.push(head, Buffer.from(filling(length)));
    missing = left;
  }
  return Buffer.concat([...parts, photo.subarray(2)]);
}

/** One page with a title. A stream that no page shows pads it to its size. */
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
  // The numbers in the file may gain a digit as its size grows.
  let padding = Math.max(size - make(0).length, 0);
  while (padding > 0 && make(padding).length > size) padding -= 1;
  const made = make(padding);
  if (made.length > size) throw new RangeError(`No PDF with this title has ${size} bytes.`);
  return Buffer.concat([made, Buffer.alloc(size - made.length, '\n')]);
}

function pdfOf(objects: string[]): Buffer {
  let file = '%PDF-1.7\n';
  const entries = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = file.length;
  const count = objects.length + 1;
  file += `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`;
  file += `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const streamOf = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** @throws {RangeError} for a negative length */
function filling(length: number): string {
  const words = 'The vehicle was inspected. ';
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}
