/** The element with an id. @throws where the page has none of this kind */
export function element<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} #${id}.`);
}

/** A new element with text in it, or with other elements. */
export function made<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

/** The text of a field of a form. */
export function field(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim();
}

/** Sends a form to a function in place of a server. */
export function onSubmit(form: HTMLFormElement, send: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
}
