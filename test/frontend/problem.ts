import { ApiError } from '@wrp/client';
import { element, made } from './page.ts';

/** Does something, and shows what went wrong with it until the next thing is done. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  const place = element('problem', HTMLElement);
  place.replaceChildren();
  try {
    await work();
  } catch (error) {
    place.replaceChildren(...explanation(error), dismissal(place));
  }
}

function dismissal(place: HTMLElement): HTMLButtonElement {
  const button = made('button', 'Dismiss');
  button.type = 'button';
  button.addEventListener('click', () => place.replaceChildren());
  return button;
}

function explanation(error: unknown): Node[] {
  if (!(error instanceof ApiError)) {
    return [made('p', error instanceof Error ? error.message : String(error))];
  }
  const { status, fingerprint, errors } = error;
  return [
    ...errors.map(({ code, message }) => made('p', made('strong', message), ' ', made('code', code))),
    made('p', `Status ${status}, fingerprint `, made('code', fingerprint ?? 'unknown')),
  ];
}
