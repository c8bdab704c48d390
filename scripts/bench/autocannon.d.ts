/** As much of autocannon, which brings no types, as the benchmark uses. */
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string;
    method: string;
    headers: Record<string, string>;
    body?: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Requests per second, of all connections together. */
    overallRate?: number;
  }): Promise<{
    requests: { total: number };
    latency: { p99: number };
    /** Seconds. */
    duration: number;
    errors: number;
    statusCodeStats?: Record<string, unknown>;
  }>;
}
