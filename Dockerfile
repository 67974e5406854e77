# syntax=docker/dockerfile:1

# What scripts/test-image.mjs knows of this file: ENV, WORKDIR, COPY, USER, CMD and HEALTHCHECK of
# the last stage. It puts the same files together and starts them.
FROM node:24.22.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY . .
RUN NODE_ENV=production npm run build

# No package manager, no development packages, no sources: what the build made
# (`output: "standalone"`), our own listener and what it starts.
FROM node:24.22.2-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn* \
  && install -d -o node -g node -m 700 /data
# The packages that the build found the service and its processes to use, the built service, and
# what a browser loads.
COPY --from=build /app/.next/standalone/node_modules ./node_modules
COPY --from=build /app/.next/standalone/.next ./.next
COPY --from=build /app/.next/static ./.next/static
COPY --from=build /app/.next/lathe-built ./.next/lathe-built
COPY --from=build /app/public ./public
COPY --from=build /app/package.json /app/next.config.mjs /app/LICENSE /app/THIRD_PARTY_LICENSES ./
# The processes that it starts by path: the sandbox of run_javascript, and the reader of documents.
COPY --from=build /app/lib/runtime/sandbox/*.mjs ./lib/runtime/sandbox/
COPY --from=build /app/lib/runtime/documents/*.mjs ./lib/runtime/documents/
COPY --from=build /app/lib/runtime/makers/*.mjs ./lib/runtime/makers/
COPY --from=build /app/lib/runtime/python/*.mjs ./lib/runtime/python/
COPY --from=build /app/lib/templates/*.yaml ./lib/templates/
# The start, the migrations and the operator's command.
COPY --from=build /app/lib/server/serve.mjs ./lib/server/serve.mjs
COPY --from=build /app/lib/platform/*.mjs ./lib/platform/
COPY --from=build /app/scripts/start.mjs /app/scripts/admin.mjs /app/scripts/db-deploy.mjs ./scripts/
COPY --from=build /app/scripts/setup ./scripts/setup
COPY --from=build /app/scripts/postgres ./scripts/postgres
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/.cache/admin.mjs /app/.cache/text-worker.mjs ./.cache/
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself takes the signals: the start drains at SIGTERM for at most half a minute and ends
# with 0.
CMD ["node", "scripts/start.mjs"]
