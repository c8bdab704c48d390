const day = /^\d{4}-\d\d-\d\d$/;

/**
 * Everything deprecated has `x-deprecated-since` and `x-sunset`: days such as `2026-11-01`, at least 12 months apart.
 * The server sends them in `Deprecation` and `Sunset`.
 */
export function DeprecationDated() {
  return {
    Operation: check,
    Parameter: check,
    Schema: check,
    SecurityScheme: check,
  };
}

function check(node, { report, location }) {
  const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset } = node;
  if (!deprecated && since === undefined && sunset === undefined) return;
  const wrong = Object.entries({ 'x-deprecated-since': since, 'x-sunset': sunset }).filter(
    ([, date]) => !isDay(date),
  );
  if (wrong.length > 0) {
    const names = wrong.map(([name]) => `\`${name}\``).join(' and ');
    report({
      message: `State when it was deprecated and when it stops working: add ${names}, a day such as \`2026-11-01\`.`,
      location: deprecated === undefined ? location.key() : location.child(['deprecated']),
    });
    return;
  }
  if (sunset < aYearAfter(since)) {
    report({
      message: `Deprecated parts work for at least 12 months: \`x-sunset\` must not be before ${aYearAfter(since)}.`,
      location: location.child(['x-sunset']),
    });
  }
  if (deprecated !== true && !('type' in node && 'scheme' in node)) {
    report({ message: 'It has deprecation dates: add `deprecated: true`.', location: location.key() });
  }
}

function isDay(date) {
  const moment = new Date(`${date}T00:00:00Z`);
  return day.test(date) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

function aYearAfter(date) {
  return `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;
}
