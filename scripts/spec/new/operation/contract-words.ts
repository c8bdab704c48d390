import { article, capital, sentence, singular, thirdPerson, wordsOf } from '../words.ts';
import type { Plan } from './plan.ts';

/** The status of a success. */
export function successOf({ method, isAction, result }: Plan): number {
  if (!result) return 204;
  return method === 'post' && !isAction ? 201 : 200;
}

export function summaryOf({ operationId, verb, thing, isList }: Plan): string {
  const isMany = isList || singular(thing) !== thing;
  return isMany ? sentence(operationId) : capital(`${verb} ${article(wordsOf(thing))}`);
}

/** Without the permission: `security` says it, and the portal shows it from there. */
export function descriptionOf({ method, verb, thing, isList, isAction }: Plan): string {
  const words = wordsOf(thing);
  if (isAction) return `${capital(thirdPerson(verb))} the ${words}.`;
  return {
    get: isList
      ? `Returns every ${words} that the caller may see, in the order of creation.`
      : `Returns the ${words}.`,
    post: `Creates ${article(words)}.`,
    put: `Replaces the ${words}.`,
    patch: `Changes the fields of the ${words} that the request has.`,
    delete: `Deletes the ${words}.`,
  }[method];
}
