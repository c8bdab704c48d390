/**
 * Ends what was opened, in the reverse order, and forgets it. What cannot be ended leaves nothing else open.
 *
 * @throws AggregateError of what failed
 */
export async function endAll(opened: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of opened.splice(0).reverse()) {
    // In an async function, so that what is thrown at once is a rejection, too.
    await (async () => end())().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be ended in order.');
}
