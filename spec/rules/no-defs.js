/**
 * No schema has `$defs`: openapi-typescript turns them into a required property of that name. A schema with
 * a name belongs into its own entry of a file in spec/schemas.
 */
export function NoDefs() {
  return {
    Schema(schema, { report, location }) {
      if (schema.$defs === undefined) return;
      report({
        message: 'Move what is in `$defs` to an entry of its own in spec/schemas.',
        location: location.child(['$defs']).key(),
      });
    },
  };
}
