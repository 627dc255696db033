package sluice.engine.loop;

/// What one loop has counted since the start. Written by the loop's thread; others ask the loop for
/// a [#copy], so that no figure needs a lock.
public final class LoopCounters {

    /// Stream flows that began.
    public long flowsOpened;

    /// Stream flows that ended.
    public long flowsClosed;

    /// Datagram flows that began.
    public long datagramFlowsOpened;

    /// Datagram flows that ended.
    public long datagramFlowsClosed;

    /// Bytes from clients to destinations.
    public long upBytes;

    /// Bytes from destinations to clients.
    public long downBytes;

    /// Datagrams from clients.
    public long upDatagrams;

    /// Datagrams to clients.
    public long downDatagrams;

    /// Datagrams that were dropped, for whatever reason.
    public long datagramsDropped;

    /// Connections refused at accept by a limit.
    public long refusedByLimit;

    /// Accepts that failed for want of files or memory.
    public long acceptsFailed;

    /// Flows ended because a peer broke a rule.
    public long peerFaults;

    /// Dials that failed.
    public long dialsFailed;

    /// Times a leg found the buffer budget spent and waited.
    public long starved;

    /// Bytes moved by splice, in both directions.
    public long splicedBytes;

    /// Failures of our own code that ended a flow.
    public long internalErrors;

    /// Returns a copy; on the loop's thread.
    public LoopCounters copy() {
        LoopCounters copy = new LoopCounters();
        copy.add(this);
        return copy;
    }

    /// Adds another loop's figures to these.
    public void add(LoopCounters other) {
        flowsOpened += other.flowsOpened;
        flowsClosed += other.flowsClosed;
        datagramFlowsOpened += other.datagramFlowsOpened;
        datagramFlowsClosed += other.datagramFlowsClosed;
        upBytes += other.upBytes;
        downBytes += other.downBytes;
        upDatagrams += other.upDatagrams;
        downDatagrams += other.downDatagrams;
        datagramsDropped += other.datagramsDropped;
        refusedByLimit += other.refusedByLimit;
        acceptsFailed += other.acceptsFailed;
        peerFaults += other.peerFaults;
        dialsFailed += other.dialsFailed;
        starved += other.starved;
        splicedBytes += other.splicedBytes;
        internalErrors += other.internalErrors;
    }
}
