package sluice.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.engine.flow.Station;
import sluice.engine.listen.Gate;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;

/// What an engine listens on: gates that open, stay, change hands and close as plans come. Called
/// by one control thread at a time.
final class Gates {

    private static final System.Logger LOG = System.getLogger("sluice.engine");

    private final List<Station> stations;
    private List<Gate> open = new ArrayList<>();
    private List<Place> late = List.of();
    private int nextHome;

    Gates(List<Station> stations) {
        this.stations = stations;
    }

    /// Where one inbound shall listen.
    ///
    /// @param onlyV6 whether IPv4 has a wildcard of its own on the port of this IPv6 wildcard
    private record Place(InboundPlan inbound, Endpoint at, boolean onlyV6) {

        /// Whether the gate can go on as this place. A port that the kernel chose stays with its
        /// inbound.
        boolean isServedBy(Gate gate, boolean sameTag) {
            boolean isSame = gate.inbound().tag().equals(inbound.tag());
            return (sameTag ? isSame : at.port() != 0)
                    && gate.at().equals(at)
                    && gate.serves(inbound, onlyV6);
        }

        /// Whether the kernel will not have both.
        boolean isTakenBy(Gate gate) {
            IpAddress theirs = gate.bound().address();
            return at.port() != 0
                    && gate.bound().port() == at.port()
                    && (theirs.equals(at.address()) || theirs.isAny() || at.address().isAny());
        }
    }

    /// Listens where `plan` says. Gates that fit stay open; others are opened before those are
    /// closed that are no longer wanted, except where one is in the way of the other.
    ///
    /// @param opened runs when everything is open, before gates that stay follow the plan
    /// @throws SystemFault for the first address that cannot be had; everything is as it was then.
    ///   An address that the machine does not have yet is no failure: it is tried again by
    ///   [#retryLate].
    void follow(Plan plan, Runnable opened) {
        List<Place> missing = placesOf(plan);
        Map<Place, Gate> kept = new LinkedHashMap<>();
        List<Gate> leaving = new ArrayList<>(open);
        keep(true, missing, kept, leaving);
        keep(false, missing, kept, leaving);
        List<Gate> made = new ArrayList<>();
        List<Place> postponed = new ArrayList<>();
        List<Gate> madeWay = new ArrayList<>();
        try {
            missing.sort(Comparator.comparing(place -> isTaken(place, leaving)));
            for (Place place : missing) {
                makeWay(place, leaving, madeWay);
                open(place, made, postponed);
            }
        } catch (RuntimeException | Error fault) {
            close(made);
            madeWay.forEach(this::reopen);
            throw fault;
        }
        opened.run();
        kept.forEach((place, gate) -> attempt(gate, () -> gate.replace(place.inbound)));
        leaving.removeAll(madeWay);
        close(leaving);
        open = new ArrayList<>(kept.values());
        open.addAll(made);
        late = postponed;
    }

    private static List<Place> placesOf(Plan plan) {
        List<Place> places = new ArrayList<>();
        for (InboundPlan inbound : plan.inbounds()) {
            for (Endpoint at : inbound.at()) {
                places.add(new Place(inbound, at, hasOwnV4(at, plan)));
            }
        }
        return places;
    }

    private static boolean hasOwnV4(Endpoint at, Plan plan) {
        Endpoint v4 = new Endpoint(IpAddress.ANY_V4, at.port());
        return at.address().equals(IpAddress.ANY_V6)
                && at.port() != 0
                && plan.inbounds().stream().anyMatch(inbound -> inbound.at().contains(v4));
    }

    private static void keep(
            boolean sameTag, List<Place> missing, Map<Place, Gate> kept, List<Gate> leaving) {
        for (Place place : List.copyOf(missing)) {
            Gate gate = firstOrNull(leaving, place, sameTag);
            if (gate != null) {
                leaving.remove(gate);
                missing.remove(place);
                kept.put(place, gate);
            }
        }
    }

    private static @Nullable Gate firstOrNull(List<Gate> gates, Place place, boolean sameTag) {
        for (Gate gate : gates) {
            if (place.isServedBy(gate, sameTag)) {
                return gate;
            }
        }
        return null;
    }

    private static boolean isTaken(Place place, List<Gate> leaving) {
        return leaving.stream().anyMatch(place::isTakenBy);
    }

    private void makeWay(Place place, List<Gate> leaving, List<Gate> madeWay) {
        for (Gate gate : leaving) {
            if (place.isTakenBy(gate) && !madeWay.contains(gate)) {
                onGate(gate, gate::close);
                madeWay.add(gate);
            }
        }
    }

    private void open(Place place, List<Gate> made, List<Place> postponed) {
        try {
            made.add(open(place));
        } catch (SystemFault fault) {
            if (fault.errno() != Errno.EADDRNOTAVAIL) {
                throw fault;
            }
            LOG.log(Level.WARNING, fault.reason() + "; will be tried again");
            postponed.add(place);
        }
    }

    private Gate open(Place place) {
        Station home = stations.get(nextHome++ % stations.size());
        InboundPlan inbound = place.inbound;
        Gate gate =
                Engine.onLoop(
                        home, () -> Gate.open(home, stations, inbound, place.at, place.onlyV6));
        LOG.log(
                Level.INFO,
                () -> "inbound " + inbound.tag() + " listens on " + gate.bound() + kinds(inbound));
        return gate;
    }

    private static String kinds(InboundPlan inbound) {
        boolean streams = inbound.protocol().acceptsStreams();
        boolean datagrams = inbound.protocol().acceptsDatagrams();
        return streams && datagrams ? " (tcp, udp)" : datagrams ? " (udp)" : " (tcp)";
    }

    /// A gate that made way for one that could not be opened listens again.
    private void reopen(Gate gate) {
        try {
            onGate(gate, () -> gate.reopen(stations));
        } catch (SystemFault fault) {
            open.remove(gate);
            LOG.log(Level.ERROR, "open before this reload, closed now: " + fault.reason());
        }
    }

    private void close(List<Gate> closing) {
        closing.forEach(gate -> attempt(gate, gate::close));
    }

    /// Does it even if others failed: one loop that is stuck must not keep the rest from going on.
    private static void attempt(Gate gate, Runnable task) {
        try {
            onGate(gate, task);
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            LOG.log(Level.ERROR, "inbound " + gate.inbound().tag() + " does not follow", failure);
        }
    }

    private static void onGate(Gate gate, Runnable task) {
        Engine.onLoop(
                gate.home(),
                () -> {
                    task.run();
                    return gate;
                });
    }

    /// Tries again to listen on addresses that were not there. Returns whether some still are not.
    boolean retryLate() {
        List<Place> stillLate = new ArrayList<>();
        for (Place place : late) {
            try {
                open.add(open(place));
            } catch (SystemFault fault) {
                LOG.log(Level.DEBUG, fault.reason());
                stillLate.add(place);
            }
        }
        late = stillLate;
        return !late.isEmpty();
    }

    /// Closes all.
    void close() {
        close(open);
        open = new ArrayList<>();
        late = List.of();
    }

    /// Where the inbound listens, in the order of its options.
    List<Endpoint> boundTo(String tag) {
        return open.stream()
                .filter(gate -> gate.inbound().tag().equals(tag))
                .sorted(Comparator.comparingInt(gate -> gate.inbound().at().indexOf(gate.at())))
                .map(Gate::bound)
                .toList();
    }
}
