-- Fields of protobuf (protobuf.dev, Encoding), for events that tell what only the database knows. `value` is not negative.
CREATE FUNCTION "protobuf_varint"("value" bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    "rest" bigint := "value";
    "encoded" bytea := '';
BEGIN
    WHILE "rest" > 127 LOOP
        "encoded" := "encoded" || set_byte('\x00', 0, ("rest" & 127 | 128)::int);
        "rest" := "rest" >> 7;
    END LOOP;
    RETURN "encoded" || set_byte('\x00', 0, "rest"::int);
END
$$;

CREATE FUNCTION "protobuf_int64"("field" int, "value" bigint) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT
    RETURN kit."protobuf_varint"("field" << 3) || kit."protobuf_varint"("value");

CREATE FUNCTION "protobuf_message"("field" int, "encoded" bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT
    RETURN kit."protobuf_varint"("field" << 3 | 2) || kit."protobuf_varint"(length("encoded")) || "encoded";
