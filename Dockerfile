# An image with one executable. It runs as an unprivileged user and writes to /data only:
#   docker build -t holdall . && docker run -p 3000:3000 -v holdall:/data holdall
FROM node:24-bookworm-slim AS build
SHELL ["/bin/bash", "-ec"]
WORKDIR /source
COPY . .
RUN npm run build
# What the executable needs from the system: the C library, host name resolution, a user, /data and /tmp.
RUN mkdir -p /image/usr/local/bin /image/etc && mkdir -m 1777 /image/tmp && mkdir -p -m 700 /writable/data \
  && cp dist/holdall /image/usr/local/bin/ \
  && mkdir -p /image/usr/share/doc/holdall && cp LICENSE THIRD-PARTY.md /image/usr/share/doc/holdall/ \
  && cp -L --parents $(ldd dist/holdall | grep -o '/[^ ]*') /lib/*-linux-gnu/lib{nss_dns,nss_files,resolv}.so.2 /image \
  && echo 'holdall:x:65532:65532::/data:/none' > /image/etc/passwd \
  && echo 'holdall:x:65532:' > /image/etc/group \
  && echo 'hosts: files dns' > /image/etc/nsswitch.conf

FROM scratch
LABEL org.opencontainers.image.title=holdall \
  org.opencontainers.image.description="Self-hosted file hosting" \
  org.opencontainers.image.licenses=MIT
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /writable /
USER 65532:65532
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_PATH=/data
# The same values as in scripts/runtime-settings.mjs.
ENV BUN_JSC_heapGrowthFunctionThresholdInMB=1048576 BUN_JSC_smallHeapGrowthFactor=1.75 \
  BUN_JSC_gcMaxHeapSize=12000000 UV_THREADPOOL_SIZE=8
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s CMD ["/usr/local/bin/holdall", "health"]
ENTRYPOINT ["/usr/local/bin/holdall"]
CMD ["serve"]
