const hasExample = ({ example, examples }) =>
  example !== undefined || (examples !== undefined && Object.keys(examples).length > 0);

/**
 * Every parameter, every header and every media type of a request, a response or an event has an example: the
 * mock responds with them, the portal shows them, the tests replay them.
 */
export function ExamplesPresent() {
  const required = (node, { report, location }) => {
    if (!hasExample(node)) report({ message: 'Add an example.', location: location.key() });
  };
  return { Parameter: required, Header: required, MediaType: required };
}
