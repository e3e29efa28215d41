ARG RUST=1-slim-bookworm

# The dependencies, built beside an empty crate: they are built anew only when the manifest changes.
FROM docker.io/library/rust:${RUST} AS dependencies
WORKDIR /build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
ENV CARGO_PROFILE_RELEASE_STRIP=symbols
COPY Cargo.toml Cargo.lock ./
RUN mkdir -p src/web benches \
    && touch src/lib.rs \
    && echo 'fn main() {}' | tee src/main.rs >src/web/build.rs \
    && sed -n '/^\[\[bench\]\]$/,/^name/s/^name = "\(.*\)"/benches\/\1.rs/p' Cargo.toml | xargs touch \
    && cargo build --release --locked --bin patience \
    && cargo clean --release --locked --package patience

FROM dependencies AS program
COPY . .
RUN cargo build --release --locked --bin patience && mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="Patience" \
      org.opencontainers.image.description="A game server for patience (solitaire) games" \
      org.opencontainers.image.licenses="MIT"
COPY LICENSE /usr/share/doc/patience/LICENSE
COPY --from=program /build/target/release/patience /usr/bin/patience
# A volume that is mounted here can be written by the user that the program runs as.
COPY --from=program --chown=nonroot:nonroot /data /data
# A proxy in front has the delay to see that /readyz says no, before no more connections are taken. Docker
# kills after ten seconds what has not ended by then.
ENV PATIENCE_LISTEN=0.0.0.0:8080 \
    PATIENCE_DRAIN_DELAY=3s \
    PATIENCE_DRAIN_TIMEOUT=6s
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["/usr/bin/patience", "healthcheck"]
ENTRYPOINT ["/usr/bin/patience"]
