const CONTENT_SECURITY_POLICY = {
  key: "Content-Security-Policy",
  value: [
    "default-src 'self'",
    // Next's own bootstrap is inline; scripts from other origins are refused.
    `script-src 'self' 'unsafe-inline'${process.env.NODE_ENV === "production" ? "" : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
};

/** Headers of every page and file; API answers set their own on top. */
const SECURITY_HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The API answers `/v1/x/` itself, as JSON; a redirect would be neither.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // `npm run check` holds the types, tests included; a start from a fresh clone need not do it again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pino", "pg", "graphile-worker", "@node-rs/argon2", "quickjs-emscripten", "nodemailer", "@prisma/adapter-pg"],
  experimental: { optimizePackageImports: ["lucide-react", "recharts", "radix-ui"] },
  headers: async () => [
    { source: "/:path*", headers: SECURITY_HEADERS },
    // These headers replace a route's own of the same name, and an agent's file is sent with a stricter policy.
    { source: "/((?!api/artifacts/).*)", headers: [CONTENT_SECURITY_POLICY] },
  ],
};

export default config;
