/** Finds an element by id. @throws if the page has none of this type */
export function element<Type extends HTMLElement>(id: string, type: abstract new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} #${id}.`);
}

/** Creates an element with text or other elements. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

/** The value of a form field. */
export function field(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim();
}

/** Handles a form's submission in this page. */
export function onSubmit(form: HTMLFormElement, send: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
}
