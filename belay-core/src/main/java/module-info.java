/**
 * Defines JSON, schemas, messages, tools and rounds. Nothing here does I/O, starts a thread or reads a clock.
 */
@SuppressWarnings("module") // the runtime is compiled after this module
module dev.belay.core {
    // not static: @Nullable is read at run time; without its module schemas would silently lack it
    requires transitive org.jspecify;
    requires org.slf4j;

    exports dev.belay;
    exports dev.belay.json;
    exports dev.belay.schema;
    exports dev.belay.schema.shape;
    exports dev.belay.generated;
    exports dev.belay.model;
    exports dev.belay.model.envelope;
    exports dev.belay.model.script;
    exports dev.belay.tool;
    exports dev.belay.tool.call;
    exports dev.belay.tool.context;
    exports dev.belay.tool.option;
    exports dev.belay.toolset;
    exports dev.belay.toolset.budget;
    exports dev.belay.toolset.loop to dev.belay.runtime;

    uses dev.belay.json.RecordForms;

    provides dev.belay.json.RecordForms with
            dev.belay.generated.ShapedRecords;
}
