# syntax=docker/dockerfile:1

# What scripts/test-image.mjs knows of this file: ENV, WORKDIR, COPY, USER, CMD and HEALTHCHECK of the last stage. It puts the same files together and starts them.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY . .
RUN NODE_ENV=production npm run build

# No package manager, no development packages, no sources: what the build made (`output: "standalone"`), our own listener and what it starts.
FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn* \
  && install -d -o node -g node -m 700 /data
# The packages that the build found the service to use, the built service, and what a browser loads.
COPY --from=build /app/.next/standalone/node_modules ./node_modules
COPY --from=build /app/.next/standalone/.next ./.next
COPY --from=build /app/.next/static ./.next/static
COPY --from=build /app/.next/lathe-built ./.next/lathe-built
COPY --from=build /app/public ./public
COPY --from=build /app/package.json /app/next.config.mjs /app/LICENSE ./
# The sandbox of run_javascript is a process of its own, which the build cannot follow.
COPY --from=build /app/lib/runtime/sandbox/*.mjs ./lib/runtime/sandbox/
COPY --from=build /app/node_modules/quickjs-emscripten ./node_modules/quickjs-emscripten
COPY --from=build /app/node_modules/quickjs-emscripten-core ./node_modules/quickjs-emscripten-core
COPY --from=build /app/node_modules/@jitl ./node_modules/@jitl
# What reads documents is such a process too, and needs its packages as they are; a test compares the list.
COPY --from=build /app/lib/runtime/documents/*.mjs ./lib/runtime/documents/
COPY --from=build /app/node_modules/pdfjs-dist/package.json ./node_modules/pdfjs-dist/
COPY --from=build /app/node_modules/pdfjs-dist/legacy/build/*.mjs ./node_modules/pdfjs-dist/legacy/build/
COPY --from=build /app/node_modules/pdfjs-dist/cmaps ./node_modules/pdfjs-dist/cmaps
COPY --from=build /app/node_modules/pdfjs-dist/standard_fonts ./node_modules/pdfjs-dist/standard_fonts
COPY --from=build /app/node_modules/@xmldom/xmldom ./node_modules/@xmldom/xmldom
COPY --from=build /app/node_modules/base64-js ./node_modules/base64-js
COPY --from=build /app/node_modules/core-util-is ./node_modules/core-util-is
COPY --from=build /app/node_modules/dingbat-to-unicode ./node_modules/dingbat-to-unicode
COPY --from=build /app/node_modules/dom-serializer ./node_modules/dom-serializer
COPY --from=build /app/node_modules/domelementtype ./node_modules/domelementtype
COPY --from=build /app/node_modules/domhandler ./node_modules/domhandler
COPY --from=build /app/node_modules/domutils ./node_modules/domutils
COPY --from=build /app/node_modules/duck ./node_modules/duck
COPY --from=build /app/node_modules/entities ./node_modules/entities
COPY --from=build /app/node_modules/fflate ./node_modules/fflate
COPY --from=build /app/node_modules/graceful-fs ./node_modules/graceful-fs
COPY --from=build /app/node_modules/htmlparser2 ./node_modules/htmlparser2
COPY --from=build /app/node_modules/immediate ./node_modules/immediate
COPY --from=build /app/node_modules/inherits ./node_modules/inherits
COPY --from=build /app/node_modules/isarray ./node_modules/isarray
COPY --from=build /app/node_modules/jszip ./node_modules/jszip
COPY --from=build /app/node_modules/lie ./node_modules/lie
COPY --from=build /app/node_modules/lop ./node_modules/lop
COPY --from=build /app/node_modules/mammoth ./node_modules/mammoth
COPY --from=build /app/node_modules/node-int64 ./node_modules/node-int64
COPY --from=build /app/node_modules/option ./node_modules/option
COPY --from=build /app/node_modules/pako ./node_modules/pako
COPY --from=build /app/node_modules/process-nextick-args ./node_modules/process-nextick-args
COPY --from=build /app/node_modules/read-excel-file ./node_modules/read-excel-file
COPY --from=build /app/node_modules/saxen ./node_modules/saxen
COPY --from=build /app/node_modules/setimmediate ./node_modules/setimmediate
COPY --from=build /app/node_modules/sprintf-js ./node_modules/sprintf-js
COPY --from=build /app/node_modules/underscore ./node_modules/underscore
COPY --from=build /app/node_modules/unzipper-esm ./node_modules/unzipper-esm
COPY --from=build /app/node_modules/util-deprecate ./node_modules/util-deprecate
COPY --from=build /app/node_modules/worker-f ./node_modules/worker-f
COPY --from=build /app/node_modules/xmlbuilder ./node_modules/xmlbuilder
COPY --from=build /app/lib/templates/*.yaml ./lib/templates/
# The start, the migrations and the operator's command.
COPY --from=build /app/lib/server/serve.mjs ./lib/server/serve.mjs
COPY --from=build /app/lib/platform/*.mjs ./lib/platform/
COPY --from=build /app/scripts/start.mjs /app/scripts/admin.mjs /app/scripts/db-deploy.mjs ./scripts/
COPY --from=build /app/scripts/setup ./scripts/setup
COPY --from=build /app/scripts/postgres ./scripts/postgres
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/.cache/admin.mjs ./.cache/admin.mjs
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself takes the signals: the start drains at SIGTERM for at most half a minute and ends with 0.
CMD ["node", "scripts/start.mjs"]
