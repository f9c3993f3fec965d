# syntax=docker/dockerfile:1
#
# The server with everything that it needs except models, which it downloads into its cache; without
# them, it uses PocketSphinx, which only root could install later. Build the image with
# `docker build -t verbatim .`; compose.yaml uses it. The server runs as user 1000, and its root file
# system can be read-only: `docker run --read-only --tmpfs /tmp`. Data that must be kept is
# in /var/lib/verbatim; /var/cache/verbatim can be deleted.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/core/package.json packages/core/
COPY packages/adapters/package.json packages/adapters/
COPY packages/http/package.json packages/http/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/resolution/package.json packages/resolution/
COPY packages/embed/package.json packages/embed/
COPY packages/testkit/package.json packages/testkit/
COPY packages/testkit/bin packages/testkit/bin
COPY packages/server/package.json packages/server/
COPY packages/server/bin packages/server/bin
COPY examples/package.json examples/
COPY bench/package.json bench/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY packages packages
COPY scripts scripts
# The bundle contains all packages except the speech engine. The image has its own ffmpeg.
RUN npm run client \
  && node packages/console/bundle/main.ts \
  && node scripts/bundle.ts server \
  && mkdir -p /image/node_modules \
  && cp -R node_modules/sherpa-onnx-* /image/node_modules/ \
  && cd packages/server \
  && cp -R package.json bin dist models /image/

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    ca-certificates ffmpeg pocketsphinx pocketsphinx-en-us \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=1000 --group=1000 --mode=700 \
    /var/lib/verbatim /var/cache/verbatim
WORKDIR /app
COPY --from=build /image .
# A container has its own network, and its operator decides which ports can be reached from outside.
# A process with only the role worker answers health checks on the same port, so that one health
# check works for all processes. Platforms that choose the port override PORT.
ENV NODE_ENV=production \
  VERBATIM_HOST=0.0.0.0 \
  PORT=8787 \
  VERBATIM_HEALTH_PORT=8787 \
  VERBATIM_DATA_DIR=/var/lib/verbatim \
  VERBATIM_CACHE_DIR=/var/cache/verbatim
USER 1000:1000
VOLUME ["/var/lib/verbatim", "/var/cache/verbatim"]
EXPOSE 8787
# /health shows whether to restart the container, and /health/ready whether it can process jobs.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VERBATIM_PORT || process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The server stops within 15 s: docker stop -t 20.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "bin/verbatim.js"]
CMD ["serve"]
