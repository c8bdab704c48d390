/** `NewInvoice` → `newInvoice`. */
export function camel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `PaymentReminder` → `payment reminder`. */
export function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
}

/** With a capital at its beginning. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `listInvoices` → `List invoices`. */
export function sentence(name: string): string {
  return capital(wordsOf(name));
}

/** `Invoices` → `Invoice`, `Companies` → `Company`, `Boxes` → `Box`, `cases` → `case`, `statuses` → `status`. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh|[^aeo]us)es$/.test(noun)) return noun.slice(0, -2);
  return noun.endsWith('s') && !/(?:ss|us)$/.test(noun) ? noun.slice(0, -1) : noun;
}

/** `archive` → `archives`. */
export function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

const irregular: Record<string, string> = {
  cancel: 'cancelled',
  reset: 'reset',
  send: 'sent',
  submit: 'submitted',
  withdraw: 'withdrawn',
  hold: 'held',
  pay: 'paid',
  put: 'put',
  take: 'taken',
  undo: 'undone',
};

/** `archive` → `archived`: the past fact that an outcome is called by. */
export function past(verb: string): string {
  const known = irregular[verb];
  if (known) return known;
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  // One syllable that ends in one vowel and one consonant doubles it: `stop` → `stopped`.
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

/** `user` → `a user`. */
export function article(words: string): string {
  // `a user`, `a unit`: said with a consonant.
  return `${/^(?:[aeio]|u(?!s|ni))/.test(words) ? 'an' : 'a'} ${words}`;
}

/** `payment-reminders` → `paymentReminders`. */
export function camelOfKebab(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
