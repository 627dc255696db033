package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.load.Pour;
import sluice.lab.load.Sink;

/// What every rung of wrapping costs: one engine at both ends, on one core.
public final class LadderBed implements Bed {

    private static final Measure THROUGHPUT = new Measure("throughput", "MB/s", true);

    /// From the barest to the most wrapped; those that hardly any engine has are rows all the same.
    private static final List<Protocol> RUNGS =
            List.of(
                    Protocol.FORWARD,
                    Protocol.VLESS,
                    Protocol.SOCKS,
                    Protocol.SS_NONE,
                    Protocol.VMESS_ZERO,
                    Protocol.VMESS_NONE,
                    Protocol.VMESS_AES128,
                    Protocol.SS_AES128,
                    Protocol.TROJAN_PLAIN,
                    Protocol.VMESS_CHACHA,
                    Protocol.SS_CHACHA,
                    Protocol.SS_NONE_TLS,
                    Protocol.VLESS_TLS,
                    Protocol.VLESS_XTLS_DIRECT,
                    Protocol.VLESS_XTLS_ORIGIN,
                    Protocol.TROJAN,
                    Protocol.SOCKS_TLS,
                    Protocol.VMESS_NONE_TLS,
                    Protocol.SOCKS_UNIX,
                    Protocol.VMESS_WS_TLS,
                    Protocol.VMESS_H2_TLS);

    private static final long FULL_BYTES = 2_000_000_000;
    private static final long QUICK_BYTES = 128_000_000;

    /// This share of the bytes is sent before and does not count.
    private static final int BEFORE = 8;

    /// The slowest engine on the slowest rung of a small machine: 20 MB/s.
    private static final long LEAST_BYTES_PER_SECOND = 20_000_000;

    @Override
    public String name() {
        return "ladder";
    }

    @Override
    public String about() {
        return "One engine is client and server, two processes that share one core where taskset is"
                + " there and allowed. One connection carries 2 GB (quick: 128 MB) in blocks of"
                + " 128 KiB from a sender through both to a receiver that acknowledges what arrived;"
                + " sender and receiver are processes of the lab. An eighth of that is sent before"
                + " and does not count. The first rung is a forwarded port, one process without a"
                + " protocol. MB are 10^6 bytes. A sender and a receiver on the same machine take"
                + " their share of it, which the bed of ceilings shows.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(THROUGHPUT);
    }

    @Override
    public List<Case> cases(Settings settings) {
        return Hop.chosen(settings, RUNGS, Protocol.FORWARD, Protocol.SS_AES128).stream()
                .map(each -> Case.of("protocol", each.id()))
                .toList();
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        Protocol protocol = Hop.protocol(each);
        return engine.engine().speaks(protocol, Role.CLIENT)
                && (protocol == Protocol.FORWARD || engine.engine().speaks(protocol, Role.SERVER));
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return settings.quick()
                ? Duration.ofMillis(1_200)
                : Duration.ofSeconds(each.label("protocol").equals("forward") ? 5 : 8);
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        Optional<OneCore> core = OneCore.here();
        Installed pinned = core.map(one -> one.pin(engine)).orElse(engine);
        int target = bench.freePort();
        Load sink = Load.start(bench, Sink.class, target);
        Hop hop = Hop.ofBoth(bench, Hop.protocol(each), pinned, target);
        sink.awaitReady();
        hop.await(bench);
        long bytes = settings.quick() ? QUICK_BYTES : FULL_BYTES;
        Load pour = Load.start(bench, Pour.class, hop.port(0), 1, bytes, bytes / BEFORE);
        Map<String, @Nullable Object> result;
        try {
            result = pour.success(Duration.ofSeconds(30 + bytes / LEAST_BYTES_PER_SECOND));
        } catch (IOException failure) {
            throw hop.explain(failure);
        }
        double rate = Load.number(result, "bytes") / Load.number(result, "seconds") / 1e6;
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        raw.put("pour", result);
        core.ifPresent(one -> raw.put("core", one.number()));
        raw.putAll(Hop.cpu(hop));
        return new Readings(Map.of(THROUGHPUT.name(), EngineBed.rounded(rate)), raw);
    }
}
