/** What happened: `documentation` is words and examples alone, which no program sees. */
export type Kind = 'added' | 'changed' | 'deprecated' | 'removed' | 'documentation';

/** One difference between two contracts, at what a reader knows by name. */
export type Change = {
  kind: Kind;
  subject: 'operation' | 'event' | 'schema' | 'guide' | 'contract';
  /** The operationId, the type of the event, the name of the schema, the title of the guide. */
  name: string;
  /** Method and path of an operation, such as `GET /organizations/users`. */
  route?: string;
  /** What differs, in Markdown. For a subject that is new or gone, its summary. */
  text: string;
};

/** A difference within a subject. */
export type Detail = { kind: Kind; text: string };

export const kinds: readonly Kind[] = ['added', 'changed', 'deprecated', 'removed', 'documentation'];
