// The package brings no types.
declare module 'parse-prometheus-text-format' {
  interface MetricFamily {
    name: string;
    help: string;
    type: string;
    /** Values stay text, as they stood. */
    metrics: { value?: string; labels?: Record<string, string>; timestamp_ms?: string }[];
  }
  export default function parsePrometheusTextFormat(text: string): MetricFamily[];
}
