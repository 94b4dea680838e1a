package dev.belay.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One typed call, from the text of its arguments to the text of its result. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DispatchBenchmark {

    /** The contender; each fork measures one, so that none is affected by another's profile. */
    @Param
    public Contender contender = Contender.JACKSON;

    private String arguments = Weather.ARGUMENTS;
    private UnaryOperator<String> call = UnaryOperator.identity();

    /** Opens the contender. */
    @Setup
    public void open() {
        arguments = Weather.ARGUMENTS;
        call = contender.open();
    }

    /** Makes the call. */
    @Benchmark
    public String call() {
        return call.apply(arguments);
    }
}
