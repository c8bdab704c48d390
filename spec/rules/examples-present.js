const hasExample = ({ example, examples }) =>
  example !== undefined || (examples !== undefined && Object.keys(examples).length > 0);

/**
 * Every parameter, header and media type has an example: the mock responds with it, the portal shows it, the tests
 * replay it.
 *
 * Option `without`: parameters whose values must differ between requests.
 */
export function ExamplesPresent({ without = [] }) {
  const required = (node, { report, location }) => {
    if (!hasExample(node) && !without.includes(node.name))
      report({ message: 'Add an example.', location: location.key() });
  };
  return { Parameter: required, Header: required, MediaType: required };
}
