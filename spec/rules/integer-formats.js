const [least, most] = [-(2 ** 31), 2 ** 31 - 1];

/**
 * An integer that can exceed 32 bits, by its bounds or without any, has `format: int64`; every other integer has no
 * format. Generators make 32 bits of an integer without a format, so a file of 3 GB breaks Java, Kotlin and Rust.
 */
export function IntegerFormats() {
  return {
    Schema(schema, { report, location }) {
      if (![schema.type].flat().includes('integer')) return;
      const isLong = !isWithin(schema);
      if (isLong === (schema.format === 'int64') && (isLong || schema.format === undefined)) return;
      report({
        message: isLong
          ? 'Add `format: int64`, or bounds within 32 bits.'
          : `Remove \`format: ${schema.format}\`: the integer is within 32 bits.`,
        location: location.child([isLong ? 'type' : 'format']),
      });
    },
  };
}

function isWithin({ enum: values, const: constant, ...bounds }) {
  const listed = constant === undefined ? values : [constant];
  if (listed) return listed.every((value) => value === null || (value >= least && value <= most));
  const lowest = bounds.minimum ?? bounds.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const highest = bounds.maximum ?? bounds.exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  return lowest >= least && highest <= most;
}
