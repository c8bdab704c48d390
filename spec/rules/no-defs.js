/**
 * Disallows `$defs`: openapi-typescript turns them into a required property of that name. Named schemas belong in
 * spec/schemas.
 */
export function NoDefs() {
  return {
    Schema(schema, { report, location }) {
      if (schema.$defs === undefined) return;
      report({
        message: 'Move the schemas in `$defs` to spec/schemas.',
        location: location.child(['$defs']).key(),
      });
    },
  };
}
