import { suggestion } from './nearest.js';

/**
 * Every operation declares who may call it: `security: []` for everyone, or one requirement per scheme. The schemes are
 * alternatives for the same caller, so all of them must require the same permissions, which a guide must list.
 *
 * Option `guide`: the tag whose text lists the permissions, each in the first cell of a table row.
 */
export function SecurityStated({ guide }) {
  let listed;
  let schemes;
  return {
    Root(root, { resolve }) {
      schemes = Object.keys(root.components?.securitySchemes ?? {});
      const text = root.tags?.find(({ name }) => name === guide)?.description;
      const rows = String((text?.$ref ? resolve(text).node : text) ?? '').matchAll(/^\| *`(\w+)` *\|/gm);
      listed = [...rows].map(([, permission]) => permission);
    },
    Operation(operation, { report, location }) {
      const alternatives = operation.security;
      if (!Array.isArray(alternatives)) {
        report({
          message: 'Declare who may call this operation: add `security`, with `[]` for everyone.',
          location: location.key(),
        });
        return;
      }
      if (!alternatives.every(isRequirement)) return;
      for (const [index, requirement] of alternatives.entries())
        for (const scheme of Object.keys(requirement)) {
          if (schemes.includes(scheme)) continue;
          const message = `There is no security scheme \`${scheme}\`.${suggestion(scheme, schemes)}`;
          report({ message, location: location.child(['security', index, scheme]).key() });
          return;
        }
      const unknown = guide && firstUnknown(alternatives, listed);
      if (unknown) {
        const { permission, path } = unknown;
        const names = listed.map((name) => `\`${name}\``).join(', ');
        report({
          message: `\`${permission}\` is not a permission that the guide \`${guide}\` lists.${suggestion(permission, listed)} It lists ${names}.`,
          location: location.child(['security', ...path]),
        });
        return;
      }
      const required = alternatives
        .flatMap((requirement) => Object.values(requirement))
        .map((permissions) => JSON.stringify([...permissions].sort()));
      if (new Set(required).size > 1) {
        report({
          message: `Every scheme must require the same permissions; these differ: ${required.join(', ')}.`,
          location: location.child(['security']),
        });
      }
    },
  };
}

/** Anything else, the linter reports as not of the specification. */
const isRequirement = (requirement) =>
  requirement !== null && typeof requirement === 'object' && Object.values(requirement).every(Array.isArray);

/** Only the first: a permission mistyped for one scheme is often mistyped for the other, too. */
function firstUnknown(alternatives, listed) {
  for (const [index, requirement] of alternatives.entries()) {
    for (const [scheme, permissions] of Object.entries(requirement)) {
      const at = permissions.findIndex((permission) => !listed.includes(permission));
      if (at >= 0) return { permission: permissions[at], path: [index, scheme, at] };
    }
  }
  return undefined;
}
