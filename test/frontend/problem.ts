import { ApiError } from '@wrp/client';
import { create, element } from './page.ts';

/** Runs an action, and shows its error until the next action. */
export async function attempt(action: () => Promise<void>): Promise<void> {
  const place = element('problem', HTMLElement);
  place.replaceChildren();
  try {
    await action();
  } catch (error) {
    place.replaceChildren(...explanation(error), dismissal(place));
  }
}

function dismissal(place: HTMLElement): HTMLButtonElement {
  const button = create('button', 'Dismiss');
  button.type = 'button';
  button.addEventListener('click', () => place.replaceChildren());
  return button;
}

function explanation(error: unknown): Node[] {
  if (!(error instanceof ApiError)) {
    return [create('p', error instanceof Error ? error.message : String(error))];
  }
  const { status, fingerprint, errors } = error;
  return [
    ...errors.map(({ code, message }) => create('p', create('strong', message), ' ', create('code', code))),
    create('p', `Status ${status}, fingerprint `, create('code', fingerprint ?? 'unknown')),
  ];
}
