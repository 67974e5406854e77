import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  SpanKind as Kinds,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { log } from "@/lib/platform/log";
import {
  type OpenSpan,
  readTraceParent,
  type SpanKind,
  type SpanStart,
  type Telemetry,
  toTraceParent,
} from "@/lib/platform/telemetry/telemetry";

const KINDS: Record<SpanKind, Kinds> = {
  internal: Kinds.INTERNAL,
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
};

/** Gives the next span the ids that it was promised. */
class Ids extends RandomIdGenerator {
  next: { traceId: string; spanId: string } | null = null;

  constructor() {
    super();
    const { generateTraceId, generateSpanId } = this;
    this.generateTraceId = () => this.next?.traceId ?? generateTraceId();
    this.generateSpanId = () => this.next?.spanId ?? generateSpanId();
  }
}

/**
 * Spans by OpenTelemetry's SDK, sent as OTLP over HTTP (JSON) in batches. It registers nothing
 * globally, so that no library of ours begins to trace by itself: the spans are those that this
 * service makes, no others. Loaded only where a collector is configured.
 */
export function openTelemetry({
  endpoint,
  serviceName,
}: {
  endpoint: string;
  serviceName: string;
}): Telemetry {
  const ids = new Ids();
  const exporter = tellingFailures(
    new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` }),
  );
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ "service.name": serviceName })),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("lathe");
  const open = new AsyncLocalStorage<OtelSpan>();
  const { later, rest } = inTurn();
  return {
    start({ name, kind = "internal", attributes, parent, link, as, at }: SpanStart): OpenSpan {
      ids.next = readTraceParent(as);
      try {
        const context =
          parent === undefined ? (open.getStore()?.context ?? ROOT_CONTEXT) : remote(parent);
        const linked = link === undefined ? undefined : trace.getSpanContext(remote(link));
        const options = {
          kind: KINDS[kind],
          attributes,
          ...(linked && { links: [{ context: linked }] }),
          ...(at && { startTime: at }),
        };
        return new OtelSpan(tracer.startSpan(name, options, context));
      } finally {
        ids.next = null;
      }
    },
    within: (span, work) => (span instanceof OtelSpan ? open.run(span, work) : work()),
    current: () => open.getStore() ?? null,
    later,
    flush: async () => {
      await rest();
      await provider.forceFlush();
    },
    close: async () => {
      await rest();
      await provider.shutdown();
    },
  };
}

/**
 * What may wait at once: where the database cannot keep up, traces are given up and not the memory.
 */
const LATER_MAX = 1_000;

/** Work that nobody waits for, one after the other. */
function inTurn(): { later: Telemetry["later"]; rest: () => Promise<void> } {
  let waiting = 0;
  let last = Promise.resolve();
  const later = (work: () => Promise<void>) => {
    if (waiting >= LATER_MAX)
      return log.warn({ waiting }, "a run's trace is not sent: too many wait to be read");
    waiting++;
    last = last
      .then(work)
      .catch((error: unknown) =>
        log.warn({ err: error }, "a run's trace could not be read, and is not sent"),
      )
      .finally(() => {
        waiting--;
      });
  };
  return { later, rest: () => last };
}

const TELL_EACH_MS = 60_000;

/** A collector that is away costs the traces; the log says so once a minute. */
function tellingFailures(exporter: SpanExporter): SpanExporter {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && Date.now() - toldAt >= TELL_EACH_MS) {
          toldAt = Date.now();
          log.warn(
            { err: result.error?.message, spans: spans.length },
            "traces could not be sent to the collector and are lost",
          );
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function remote(traceParent: string | null): Context {
  const from = readTraceParent(traceParent);
  if (!from) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = from;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}

class OtelSpan implements OpenSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  get context(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  get traceParent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return toTraceParent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
  }

  set(attributes: Parameters<OpenSpan["set"]>[0]): void {
    this.#span.setAttributes(attributes);
  }

  fail(kind: string): void {
    this.#span.setAttribute("error.type", kind).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(at?: Date): void {
    this.#span.end(at);
  }
}
