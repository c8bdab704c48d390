/**
 * Every operation says for itself who may call it: `security: []` for everybody, or one requirement per
 * scheme. The schemes are ways to prove one identity, so all of them must ask for the same permissions.
 */
export function SecurityStated() {
  return {
    Operation(operation, { report, location }) {
      const alternatives = operation.security;
      if (!Array.isArray(alternatives)) {
        report({
          message: 'Say who may call this operation: add `security`, with `[]` if everybody may.',
          location: location.key(),
        });
        return;
      }
      const asked = alternatives
        .flatMap((requirement) => Object.values(requirement))
        .map((permissions) => JSON.stringify([...permissions].sort()));
      if (new Set(asked).size > 1) {
        report({
          message: `Every scheme must ask for the same permissions; these differ: ${asked.join(', ')}.`,
          location: location.child(['security']),
        });
      }
    },
  };
}
