import { descriptions } from './descriptions.js';
import { nearest, suggestion } from './nearest.js';
import { followed, operationsOf, responsesOf } from './operations.js';

/**
 * The list of error codes matches its use: examples and the guide contain only listed codes, and every listed code
 * occurs in the example of a response.
 *
 * Option `enum`: the name of the schema with the list. Option `undeclared`: codes that no operation declares, because
 * they occur before an operation is found or outside the API. Option `always`: by status, a code that every operation
 * with that status has an example of. Option `guide`: the tag whose text explains codes, each in
 * a list item that begins with it.
 */
export function ErrorCodes({ enum: enumName = 'ErrorCode', undeclared = [], always = {}, guide }) {
  let listed;
  const used = new Map();
  const { visitor, texts } = descriptions();
  return {
    Tag(tag, context) {
      if (tag.name === guide) visitor.Tag(tag, context);
    },
    Schema(schema, { location }) {
      if (location.pointer.endsWith(`/${enumName}`))
        listed = { codes: schema.enum ?? [], sentences: schema['x-enumDescriptions'], location };
    },
    MediaType(mediaType, { resolve, location }) {
      for (const [name, raw] of Object.entries(mediaType.examples ?? {})) {
        const example = resolve(raw);
        const at = raw.$ref ? example.location : location.child(['examples', name]);
        const { fingerprint, errors } = example.node?.value ?? {};
        if (fingerprint === undefined || !Array.isArray(errors)) continue;
        errors.forEach((error, index) => {
          const uses = used.get(error.code) ?? [];
          used.set(error.code, [...uses, at.child(['value', 'errors', index, 'code'])]);
        });
      }
    },
    Root: {
      leave(root, context) {
        const { report } = context;
        for (const each of operationsOf(root, 'paths', context))
          for (const { status, response, at } of responsesOf(each, context)) {
            if (!(status in always)) continue;
            // A misspelled code is reported as such.
            const isWanted = (code) => nearest(String(code), [always[status]]) !== undefined;
            if (codesOf(response, at, context).some(isWanted)) continue;
            const { operationId } = each.operation;
            report({
              message: `The ${status} of \`${operationId}\` has no example with \`${always[status]}\`.`,
              location: each.at.child(['responses', status]),
            });
          }
        if (!listed) return;
        // Codes that are misspelled in their example: they are not reported as unused.
        const misspelled = new Set();
        for (const [code, locations] of used) {
          if (listed.codes.includes(code)) continue;
          const near = nearest(String(code), listed.codes);
          misspelled.add(near);
          const hint = near ? ` Did you mean \`${near}\`?` : '';
          const message = `\`${code}\` is not in the list of error codes.${hint}`;
          for (const location of locations) report({ message, location });
        }
        for (const { code, index, locate } of texts.flatMap(entriesOf)) {
          if (listed.codes.includes(code)) continue;
          const message = `The guide explains \`${code}\`, which is not an error code.${suggestion(code, listed.codes)}`;
          report({ message, location: locate(index) });
        }
        const inList = listed.location.child(['enum']);
        listed.codes.forEach((code, index) => {
          const exempt = undeclared.includes(code);
          if (used.has(code) === exempt && !misspelled.has(code)) {
            const message = exempt
              ? `\`${code}\` occurs in an example: remove it from \`undeclared\` in redocly.yaml.`
              : `No response has an example with \`${code}\`: add one, or remove the code.`;
            report({ message, location: inList.child([index]) });
          }
        });
        if (listed.sentences)
          listed.codes.forEach((code, index) => {
            if (code in listed.sentences || !(used.has(code) || undeclared.includes(code))) return;
            const message = `\`${code}\` has no sentence: add it to \`x-enumDescriptions\` of ${enumName}.`;
            report({ message, location: inList.child([index]) });
          });
        for (const code of undeclared.filter((code) => !listed.codes.includes(code))) {
          report({ message: `\`undeclared\` names \`${code}\`, which is not a code.`, location: inList });
        }
      },
    },
  };
}

/** The codes in the examples of a response. */
function codesOf(response, at, context) {
  return Object.values(response?.content ?? {}).flatMap(({ examples = {} }) =>
    Object.values(examples).flatMap((example) => {
      const [target] = followed(example, at, context);
      return (target?.value?.errors ?? []).map(({ code }) => code);
    }),
  );
}

/** The entries of a guide, such as `- \`user_not_found\`: …`. */
function entriesOf({ text, locate }) {
  return [...text.matchAll(/^- `(\w+)`:/gm)].map(({ 1: code, index }) => ({ code, index, locate }));
}
