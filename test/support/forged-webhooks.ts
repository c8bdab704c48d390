/** A webhook that no receiver may accept, made of a genuine one. */
export interface ForgedWebhook {
  what: string;
  /** Undefined: the request has no signature. */
  signature: string | undefined;
  body: string;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What an attacker can make of a webhook that the platform signed within the last five minutes. */
export function forgedWebhooks(genuine: { signature: string; body: string }): ForgedWebhook[] {
  const { signature, body } = genuine;
  const [head = '', , tail = ''] = signature.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const withHeader = (change: object, end = tail) => `${encoded({ ...header, ...change })}..${end}`;
  const payload = Buffer.from(body).toString('base64url');
  const forgedBody = JSON.stringify({ ...JSON.parse(body), id: '00000000-0000-4000-8000-000000000000' });
  const forgedPayload = Buffer.from(forgedBody).toString('base64url');
  const attached = `${head}.${payload}.${tail}`;
  const json = JSON.stringify({ protected: head, payload, signature: tail });
  return [
    { what: 'another body', signature, body: forgedBody },
    { what: 'the same event in other bytes', signature, body: `${body} ` },
    { what: 'an empty body', signature, body: '' },
    { what: 'no signature', signature: undefined, body },
    { what: 'another body, and the signed one inside the signature', signature: attached, body: forgedBody },
    { what: 'the signed body, which is inside the signature, too', signature: attached, body },
    { what: 'another body inside', signature: `${head}.${forgedPayload}.${tail}`, body: forgedBody },
    { what: 'a JWS in JSON with the signed body', signature: json, body: forgedBody },
    { what: 'four parts', signature: `${head}..${payload}.${tail}`, body: forgedBody },
    { what: 'four parts, two empty', signature: `${head}...${tail}`, body },
    { what: 'four parts, the signed body first', signature: `${head}.${payload}..${tail}`, body: forgedBody },
    { what: 'a detached JWS behind', signature: `${attached}..${tail}`, body: forgedBody },
    { what: 'two signatures', signature: `${signature}, ${signature}`, body },
    { what: 'no signature behind the dots', signature: `${head}..`, body },
    { what: 'a header alone', signature: head, body },
    { what: 'no JWS', signature: 'x', body },
    { what: 'the algorithm none', signature: withHeader({ alg: 'none' }, ''), body },
    { what: 'the algorithm none with a signature', signature: withHeader({ alg: 'none' }), body },
    { what: 'the algorithm HS256', signature: withHeader({ alg: 'HS256' }), body },
    { what: 'an unknown key', signature: withHeader({ kid: crypto.randomUUID() }), body },
    { what: 'a path as key', signature: withHeader({ kid: '../../../organizations/roles' }), body },
    { what: 'a number as key', signature: withHeader({ kid: 5 }), body },
    { what: 'no time', signature: withHeader({ iat: undefined }), body },
    { what: 'a later time', signature: withHeader({ iat: header.iat + 1 }), body },
    { what: 'an unencoded payload', signature: withHeader({ b64: false, crit: ['b64'] }), body },
  ];
}
