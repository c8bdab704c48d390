/** A page as a frontend with Vite, React and TanStack Query has it, against `?api=…&token=…` or, without them, MSW. */
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createClient } from '@wrp/client';
import { handlers } from '@wrp/client/msw';
import { responses } from '@wrp/client/schemas';
import createQueryClient from 'openapi-react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { is } from 'valibot';

const options = new URLSearchParams(location.search);
const baseUrl = options.get('api') ?? 'https://api.example.com';
const client = createClient({ baseUrl, token: options.get('token') ?? 'tot_any' });
const api = createQueryClient(client);

function Users() {
  const [page, setPage] = useState(0);
  const query = { page, size: 2 };
  const { data: users, error } = api.useQuery('get', '/organizations/users', { params: { query } });
  const queries = useQueryClient();
  const terminate = api.useMutation('post', '/organizations/users/{userId}/terminate', {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['get', '/organizations/users'] }),
  });
  const refused = error ?? terminate.error;
  if (refused && !users) return <p role="alert">{refused.errors[0]?.code}</p>;
  if (!users) return <p>Loading…</p>;
  if (!is(responses.listUsers, users)) return <p role="alert">The response is not a page of users.</p>;
  return (
    <>
      <h1>
        Page {users.number + 1} of {users.totalPages}
      </h1>
      <ul>
        {users.content.map(({ id, email, profile: { status } }) => (
          <li key={id}>
            {email} {status}
            <button type="button" onClick={() => terminate.mutate({ params: { path: { userId: id } } })}>
              Terminate {email}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setPage(page + 1)}>
        Next
      </button>
      {refused && <p role="alert">{refused.errors[0]?.code}</p>}
    </>
  );
}

/** As in the guide to the mock. */
function Executions() {
  const params = { query: { size: 20 } };
  const paging = { initialPageParam: null, getNextPageParam: pageAfter };
  const { data, error, hasNextPage, fetchNextPage } = api.useInfiniteQuery(
    'get',
    '/workflows',
    { params },
    paging,
  );
  if (error) return <p role="alert">{error.errors[0]?.code}</p>;
  const executions = data?.pages.flatMap(({ content }) => content) ?? [];
  return (
    <>
      <p>{executions.length} executions</p>
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}

const pageAfter = ({ nextCursor }: { nextCursor?: string }) => nextCursor;

if (!options.has('api')) {
  const { setupWorker } = await import('msw/browser');
  await setupWorker(...handlers({ baseUrl })).start({ onUnhandledFrame: 'bypass', quiet: true });
}
createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <Users />
    <Executions />
  </QueryClientProvider>,
);
