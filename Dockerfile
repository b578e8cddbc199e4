# The program alone in an image of a few megabytes: docker build -t suppose . && docker run --rm -v "$PWD:/models" suppose check model.lts
FROM rust:1-slim-bookworm AS build
RUN rustup target add x86_64-unknown-linux-musl
WORKDIR /source
COPY . .
RUN cargo build --locked --release --target x86_64-unknown-linux-musl

FROM scratch
COPY --from=build /source/target/x86_64-unknown-linux-musl/release/suppose /usr/bin/suppose
COPY --from=build /source/LICENSE-APACHE /source/LICENSE-MIT /usr/share/doc/suppose/
WORKDIR /models
USER 65534:65534
ENTRYPOINT ["/usr/bin/suppose"]
