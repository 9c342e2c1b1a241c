# An image with one file in it, run by nobody in particular; /data is all that it writes to:
#   docker build -t holdall . && docker run -p 3000:3000 -v holdall:/data holdall
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm run build && mkdir /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /source/dist/holdall /usr/local/bin/holdall
COPY --from=build --chown=nonroot:nonroot /empty /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_PATH=/data
# As in scripts/runtime-settings.mjs.
ENV BUN_JSC_heapGrowthFunctionThresholdInMB=1048576 BUN_JSC_smallHeapGrowthFactor=1.75
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s CMD ["/usr/local/bin/holdall", "health"]
ENTRYPOINT ["/usr/local/bin/holdall"]
CMD ["serve"]
