/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The API answers `/v1/x/` itself, as JSON; a redirect would be neither.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // `npm run check` holds the types, tests included; a start from a fresh clone need not do it again.
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
