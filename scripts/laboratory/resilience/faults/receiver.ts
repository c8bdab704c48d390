import { serveLocally } from '../../../command-line/local-server.ts';

/** A system that receives the installation's webhooks. */
export interface Receiver extends Disposable {
  url: string;
  /** The ids of the events that tell of an execution's end, by execution. */
  ends: Map<string, Set<string>>;
  /** Whether it responds with 500, as a system does whose own database is away. */
  isBroken: boolean;
}

export async function openReceiver(): Promise<Receiver> {
  const ends: Receiver['ends'] = new Map();
  const server = await serveLocally(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (receiver.isBroken) return response.writeHead(500).end();
    const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { workflowId: string } };
    if (type === 'workflow.completed')
      ends.set(data.workflowId, (ends.get(data.workflowId) ?? new Set()).add(id));
    response.writeHead(204).end();
  });
  const receiver: Receiver = { ...server, ends, isBroken: false };
  return receiver;
}
